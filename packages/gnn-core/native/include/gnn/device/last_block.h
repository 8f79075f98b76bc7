#pragma once
// The block of a grid that comes last finishes what all of them began: one kernel instead of two.
#include "gnn/device/kernel.h"

namespace gnn::cuda {

// True in all threads of the block that comes here last; what the others had written before they came, it may read
// through `written()`. All threads of all blocks call it, once. `ticket` is the stream's (Stream::ticket).
__device__ inline bool is_last_block(unsigned* ticket) {
  DEVICE_SHARED(is_last, int, [1]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    is_last[0] = atomicAdd(ticket, 1u) + 1 == gridDim.x * gridDim.y;
    if (is_last[0]) *ticket = 0;  // for the stream's next kernel
    __threadfence();
  }
  __syncthreads();
  return is_last[0] != 0;
}

// Read from where all blocks see it, not from what this one may have kept of it.
template <typename T>
__device__ T written(const T* at) {
  return *static_cast<const volatile T*>(at);
}

}  // namespace gnn::cuda
