# Target dealer_libtorch: the system's libtorch, or the one scripts/setup fetched where the system has none.
find_package(Torch QUIET)
if(NOT Torch_FOUND)
  message(FATAL_ERROR "libtorch not found: run scripts/setup")
endif()
add_library(dealer_libtorch INTERFACE)
target_link_libraries(dealer_libtorch INTERFACE ${TORCH_LIBRARIES})
