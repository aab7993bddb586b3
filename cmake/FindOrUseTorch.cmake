# Target dealer_libtorch: the libtorch in DEALER_TORCH (a folder with include/ and lib/, such as the Python package
# torch or an unpacked libtorch archive), or else the one scripts/setup fetched, or else the system's.
set(DEALER_TORCH "" CACHE PATH "Folder with the include/ and lib/ of a libtorch to use instead of the system's")

add_library(dealer_libtorch INTERFACE)
set(torch_root ${DEALER_TORCH})
if(NOT torch_root)
  file(GLOB torch_root ${PROJECT_SOURCE_DIR}/build/torch/lib/python3*/site-packages/torch)
endif()

if(torch_root)
  # What is installed finds it there. CMake sees to that by itself only for folders outside the project.
  set(torch_libraries ${torch_root}/lib)
  # Named file by file: TorchConfig.cmake of a libtorch made for CUDA demands the CUDA compiler, which we do not need.
  find_library(DEALER_TORCH_CPU torch_cpu PATHS ${torch_root}/lib NO_DEFAULT_PATH REQUIRED)
  find_library(DEALER_TORCH_C10 c10 PATHS ${torch_root}/lib NO_DEFAULT_PATH REQUIRED)
  find_library(DEALER_TORCH_CUDA torch_cuda PATHS ${torch_root}/lib NO_DEFAULT_PATH)
  set(torch_include ${torch_root}/include)
  # The Python package brings headers of another fmt than the library everything here is linked with.
  find_path(DEALER_FMT_INCLUDE fmt/format.h REQUIRED)
  set(own_headers ${PROJECT_BINARY_DIR}/before_torch)
  file(MAKE_DIRECTORY ${own_headers})
  file(CREATE_LINK ${DEALER_FMT_INCLUDE}/fmt ${own_headers}/fmt SYMBOLIC)
  target_include_directories(
    dealer_libtorch SYSTEM INTERFACE ${own_headers} ${torch_include} ${torch_include}/torch/csrc/api/include)
  if(DEALER_TORCH_CUDA)
    # Nothing refers to it: it registers itself when loaded.
    target_link_libraries(
      dealer_libtorch INTERFACE -Wl,--push-state,--no-as-needed ${DEALER_TORCH_CUDA} -Wl,--pop-state)
  endif()
  target_link_libraries(dealer_libtorch INTERFACE ${DEALER_TORCH_CPU} ${DEALER_TORCH_C10})
  set(abi "")
  if(EXISTS ${torch_root}/share/cmake/Torch/TorchConfig.cmake)
    file(STRINGS ${torch_root}/share/cmake/Torch/TorchConfig.cmake abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  endif()
  if(abi)
    message(FATAL_ERROR "${torch_root} is built for the old C++ ABI; take torch 2.6 or later, or a cxx11-abi archive")
  endif()
else()
  set(CMAKE_MESSAGE_LOG_LEVEL ERROR) # it talks much, and warns of libraries that only a static build needs
  find_package(Torch QUIET)
  unset(CMAKE_MESSAGE_LOG_LEVEL)
  if(NOT Torch_FOUND)
    message(FATAL_ERROR "libtorch not found: run scripts/setup, or set DEALER_TORCH to the folder that holds it, "
                        "or build the libraries without program and learners: -DDEALER_PROGRAM=OFF")
  endif()
  target_link_libraries(dealer_libtorch INTERFACE ${TORCH_LIBRARIES})
  list(GET TORCH_INCLUDE_DIRS 0 torch_include)
  find_library(DEALER_TORCH_CPU torch_cpu REQUIRED)
endif()

# A version for people, and the BLAS that the loader will pick, which the machine's alternatives decide.
set(torch_version "")
foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
  if(NOT torch_version AND EXISTS ${torch_include}/${header})
    file(STRINGS ${torch_include}/${header} torch_version REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX REPLACE "[^0-9;]" "" torch_version "${torch_version}")
    string(REPLACE ";" "." torch_version "${torch_version}")
  endif()
endforeach()
execute_process(COMMAND ldd ${DEALER_TORCH_CPU} OUTPUT_VARIABLE torch_needs ERROR_QUIET)
set(torch_blas "its own BLAS")
set(torch_blas_library "")
if(torch_needs MATCHES "(libblas\\.so[^ ]*) => ([^ ]+)")
  set(torch_blas_library ${CMAKE_MATCH_1})
  file(REAL_PATH ${CMAKE_MATCH_2} torch_blas)
  if(torch_blas MATCHES "/blas/|/libblas\\.so\\.3\\.[0-9.]+$")
    message(WARNING "libtorch will multiply matrices with the reference BLAS (${torch_blas}), about 30 times slower "
                    "than OpenBLAS: apt install libopenblas0-pthread")
  endif()
endif()

# Training on several machines: libtorch's Gloo, whose own headers the Python package leaves out and libgloo-dev has.
# Without them, or with those of a version that does not fit, everything else works.
find_path(DEALER_GLOO_INCLUDE gloo/algorithm.h)
# It takes seconds, so what has worked is not tried again.
set(gloo_tried "${DEALER_TORCH_CPU} ${DEALER_GLOO_INCLUDE}")
if(torch_root)
  set(gloo_includes ${own_headers} ${torch_include} ${torch_include}/torch/csrc/api/include)
  set(gloo_libraries ${DEALER_TORCH_CPU} ${DEALER_TORCH_C10})
else()
  set(gloo_includes ${TORCH_INCLUDE_DIRS})
  set(gloo_libraries ${TORCH_LIBRARIES})
endif()
if(DEALER_GLOO_INCLUDE AND NOT DEALER_GLOO_WORKED STREQUAL gloo_tried)
  try_compile(
    DEALER_GLOO ${PROJECT_BINARY_DIR}/try_gloo SOURCES ${PROJECT_SOURCE_DIR}/cmake/try_gloo.cc
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${gloo_includes};${DEALER_GLOO_INCLUDE}"
    LINK_LIBRARIES ${gloo_libraries} CXX_STANDARD 20)
  if(DEALER_GLOO)
    set(DEALER_GLOO_WORKED "${gloo_tried}" CACHE INTERNAL "The libtorch and headers that Gloo has worked with")
  endif()
endif()
if(DEALER_GLOO)
  set(torch_ranks "Gloo")
  # With NCCL's headers and CUDA's, most of which come with the Python packages that a CUDA libtorch needs.
  if(DEALER_TORCH_CUDA)
    file(GLOB cuda_includes ${torch_root}/../nvidia/*/include ${torch_root}/../nvidia/*/include/cccl)
    if(EXISTS /usr/local/cuda/include/crt/host_config.h)
      list(APPEND cuda_includes /usr/local/cuda/include)
    endif()
    set(nccl_tried "${DEALER_TORCH_CUDA} ${cuda_includes}")
    if(NOT DEALER_NCCL_WORKED STREQUAL nccl_tried)
      set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
      try_compile(
        DEALER_NCCL ${PROJECT_BINARY_DIR}/try_nccl SOURCES ${PROJECT_SOURCE_DIR}/cmake/try_nccl.cc
        CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${gloo_includes};${cuda_includes}" CXX_STANDARD 20)
      unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
      if(DEALER_NCCL)
        set(DEALER_NCCL_WORKED "${nccl_tried}" CACHE INTERNAL "The libtorch and headers that NCCL has worked with")
      endif()
    endif()
    if(DEALER_NCCL)
      target_include_directories(dealer_libtorch SYSTEM INTERFACE ${cuda_includes})
      set(torch_ranks "Gloo and NCCL")
      set(dealer_nccl ON)
    else()
      message(STATUS "Ranks with a GPU each will add up gradients by Gloo: the headers of NCCL and CUDA are not all there; "
                     "the Python packages nvidia-cuda-crt and nvidia-cuda-cccl have those that torch does not bring")
    endif()
  endif()
else()
  set(torch_ranks "one rank alone (no libgloo-dev that fits)")
endif()
message(STATUS "libtorch ${torch_version} (${DEALER_TORCH_CPU}) with ${torch_blas}; ranks: ${torch_ranks}")
