# The program with its data, and the CMake package of the libraries that need no libtorch; pkg-config for the one in C.
include(CMakePackageConfigHelpers)

set(DEALER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dealers_choice)
set(DEALER_DATA_DIR ${CMAKE_INSTALL_DATADIR}/dealers_choice)

install(
  TARGETS dealer_flags dealer_env dealer_agents dealer_arena dealer_studies dealer_frontends
  EXPORT dealers_choiceTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT development)
install(
  DIRECTORY env agents arena frontends
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dealers_choice
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "frontends/c" EXCLUDE
  PATTERN "frontends/web/static" EXCLUDE)
# An export of its own, which needs none of the packages that the C++ libraries do.
install(
  TARGETS dealers_choice_c
  EXPORT dealers_choiceCTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(FILES include/dealers_choice.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(
  EXPORT dealers_choiceCTargets
  NAMESPACE dealers_choice::
  DESTINATION ${DEALER_PACKAGE_DIR}
  COMPONENT development)
# pkg-config: the prefix follows from where the file lies, so that an installation can be moved.
set(DEALER_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH DEALER_PREFIX_FROM_PC ${CMAKE_INSTALL_PREFIX}/${DEALER_PKGCONFIG_DIR} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/dealers_choice.pc.in ${PROJECT_BINARY_DIR}/dealers_choice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dealers_choice.pc DESTINATION ${DEALER_PKGCONFIG_DIR} COMPONENT development)
install(
  EXPORT dealers_choiceTargets
  NAMESPACE dealers_choice::
  DESTINATION ${DEALER_PACKAGE_DIR}
  COMPONENT development)
configure_package_config_file(
  cmake/dealers_choiceConfig.cmake.in ${PROJECT_BINARY_DIR}/dealers_choiceConfig.cmake
  INSTALL_DESTINATION ${DEALER_PACKAGE_DIR}
  PATH_VARS DEALER_DATA_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dealers_choiceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/dealers_choiceConfig.cmake ${PROJECT_BINARY_DIR}/dealers_choiceConfigVersion.cmake
  DESTINATION ${DEALER_PACKAGE_DIR}
  COMPONENT development)

install(DIRECTORY configs models DESTINATION ${DEALER_DATA_DIR} COMPONENT program)
install(FILES LICENSE README.md README.ja.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(TARGET dealer)
  install(TARGETS dealer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(TARGETS dealer-train dealer-bench first_bot RUNTIME DESTINATION ${DEALER_TRAIN_DIR} COMPONENT program)

  # Written by the program itself, so that no command or option is missing.
  set(DEALER_MANUALS ${PROJECT_BINARY_DIR}/manuals)
  file(MAKE_DIRECTORY ${DEALER_MANUALS})
  add_custom_command(
    OUTPUT ${DEALER_MANUALS}/dealer.1 ${DEALER_MANUALS}/dealer ${DEALER_MANUALS}/_dealer
    COMMAND dealer help --man >${DEALER_MANUALS}/dealer.1
    COMMAND dealer completion bash >${DEALER_MANUALS}/dealer
    COMMAND dealer completion zsh >${DEALER_MANUALS}/_dealer
    DEPENDS dealer
    COMMENT "Writing the manual page and the completions")
  add_custom_target(dealer_manuals ALL DEPENDS ${DEALER_MANUALS}/dealer.1)
  install(FILES ${DEALER_MANUALS}/dealer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${DEALER_MANUALS}/dealer DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT program)
  install(FILES ${DEALER_MANUALS}/_dealer DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
endif()
