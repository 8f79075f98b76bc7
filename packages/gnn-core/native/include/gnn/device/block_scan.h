#pragma once
// Sums over the threads of a block.
#include "gnn/device/warp.h"

namespace gnn::cuda {

constexpr int kScanThreads = 1024;

// The sum of the values of the threads before this one; *total is that of all. All threads of a block of kScanThreads
// call it.
__device__ inline int32_t block_scan(int32_t value, int32_t* total) {
  DEVICE_SHARED(of_warps, int32_t, [32]);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int32_t sum = warp_scan(value);
  if (lane_index() == 31) of_warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int32_t until = warp_scan(of_warps[lane_index()]);
    __syncwarp();
    of_warps[lane_index()] = until;
  }
  __syncthreads();
  const int32_t before = warp == 0 ? 0 : of_warps[warp - 1];
  *total = of_warps[31];
  __syncthreads();  // the next call writes there
  return before + sum - value;
}

}  // namespace gnn::cuda
