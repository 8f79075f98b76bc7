#pragma once
// What the lanes of a warp compute together, in an order that is always the same.
#include "gnn/device/kernel.h"

namespace gnn::cuda {

constexpr unsigned kAllLanes = 0xffffffffu;
// Warps of a block whose warps work on rows of their own.
constexpr int kRowWarps = 8;

// A warp per row. Kernels that are started so find theirs by warp_index().
inline device::Grid grid_of_warps(int64_t rows) { return {device::blocks_for(rows, kRowWarps), kRowWarps * 32}; }
__device__ inline int64_t warp_index() { return static_cast<int64_t>(blockIdx.x) * kRowWarps + threadIdx.x / 32; }
__device__ inline int lane_index() { return static_cast<int>(threadIdx.x % 32); }

template <typename T>
__device__ T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

__device__ inline float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(kAllLanes, value, offset);
    value = other > value ? other : value;
  }
  return value;
}

// The sum of the values of this lane and those before it.
__device__ inline int warp_scan(int value) {
  for (int by = 1; by < 32; by *= 2) {
    const int before = __shfl_up_sync(kAllLanes, value, by);
    if (lane_index() >= by) value += before;
  }
  return value;
}

}  // namespace gnn::cuda
