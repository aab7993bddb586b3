#pragma once

#include <string>
#include <string_view>

// What backend_info finds out without libtorch's headers.
namespace dealer {

// "OpenBLAS 0.3.21" when the program runs with it, else empty.
std::string openblas_name();
// The BLAS by libtorch's description of itself, or the file that has its routines.
std::string blas_name(std::string_view torch_config);

// How new a processor a kernel of OpenBLAS was written for: 0 SSE, 1 AVX, 2 AVX2, 3 AVX-512; -1 when the name is none
// of x86's.
int kernel_level(std::string_view kernel);
// The same for this processor; -1 when it is no x86.
int processor_level();

}  // namespace dealer
