#pragma once

#include <filesystem>
#include <string>

// Information on the libraries used by the learners.
namespace dealer {

// Version of libtorch that the training program was built with, "1.13.1".
std::string libtorch_version();
// "OpenBLAS 0.3.21", or the file of the library for matrix products if its name is unknown. If libtorch is not loaded,
// the library it would load: that takes 3 ms instead of half a second.
std::string blas_library();
// The kernel that the library has chosen for this processor: "SkylakeX"; "unknown" if it does not report it.
std::string blas_kernel();

// A line of warning when OpenBLAS uses a kernel for an older kind of processor than this one, else empty: matrix
// products then take several times as long.
std::string blas_warning();

// OpenBLAS chooses its kernel when the program is loaded, and falls back to the oldest one on processors newer than the
// library. If the kernel is too old and the variable OPENBLAS_CORETYPE is not set, sets it and restarts the program
// with the same arguments. Call before anything else. Does nothing if that cannot help.
void use_fitting_blas_kernel();

// Replaces this program by another one with the same arguments. Returns, with errno set, only on failure.
void start_again_as(const std::filesystem::path& program);

}  // namespace dealer
