#pragma once
// What CUDA says went wrong, as an error of ours. Only what is linked with CUDA's runtime includes it.
#include <cuda_runtime_api.h>

#include <string>

namespace gnn::device {

// Notes the kernel that is about to be started, by the address that the host knows it by.
void note_start(const void* kernel);

// Throws `code`, or DEVICE_LOST in place of DEVICE_FAULT when the device itself has failed. A fault names the kernel
// that was started last: CUDA tells of a kernel's failure at a later call, so an earlier one may have caused it.
[[noreturn]] void throw_failure(cudaError_t result, const std::string& what, const char* code = "DEVICE_FAULT");

}  // namespace gnn::device
