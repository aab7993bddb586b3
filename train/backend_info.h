#pragma once

#include <filesystem>
#include <string>

// Facts about the libraries below the learners.
namespace dealer {

// "1.13.1", which the program that trains was built with.
std::string libtorch_version();
// "OpenBLAS 0.3.21", or the file of the library that multiplies matrices where it does not say what it is. Where
// libtorch is not loaded, the library it would load is: that takes 3 ms instead of half a second.
std::string blas_library();
// The set of routines the library has chosen for this processor: "SkylakeX"; "unknown" where it does not say.
std::string blas_kernel();

// One line when OpenBLAS uses a kernel for an older kind of processor than this one, else empty: matrix products then
// take several times as long.
std::string blas_warning();

// OpenBLAS chooses its kernel while the program is loaded, and processors newer than the library get the oldest one.
// Where the kernel is too old and the variable OPENBLAS_CORETYPE is not set, this sets it and starts the program anew
// with the same arguments. To be called before anything has been done. Does nothing where it cannot be helped.
void use_fitting_blas_kernel();

// Goes on as another program with the arguments of this one. Returns, with errno set, only where that fails.
void start_again_as(const std::filesystem::path& program);

}  // namespace dealer
