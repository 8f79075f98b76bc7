#pragma once
// Memory of the host that kernels read by themselves, over the bus: by the address that driver::device_address gives.
#include "gnn/device/kernel.h"

namespace gnn::device {

#ifdef __CUDACC__

// Where a kernel reads `count` elements. The emulation refuses what is not registered.
template <typename T>
__device__ inline const T* host_memory(const T* address, int64_t) {
  return address;
}

#else

template <typename T>
const T* host_memory(const T* address, int64_t count, emulation::Site site = emulation::Site::current()) {
  return static_cast<const T*>(emulation::check_host_read(address, static_cast<size_t>(count) * sizeof(T), site));
}

#endif

}  // namespace gnn::device
