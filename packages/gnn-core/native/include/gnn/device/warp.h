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

template <typename T>
__device__ T warp_max(T value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const T other = __shfl_xor_sync(kAllLanes, value, offset);
    value = other > value ? other : value;
  }
  return value;
}

// Groups of so many lanes, a power of two up to 32, each on a task of its own: the least that `items` side by side
// fill.
inline int group_size(int64_t items) {
  int lanes = 1;
  while (lanes < 32 && lanes < items) lanes *= 2;
  return lanes;
}
inline device::Grid grid_of_groups(int64_t tasks, int lanes) {
  return {device::blocks_for(tasks, kRowWarps * 32 / lanes), kRowWarps * 32};
}
__device__ inline int64_t group_index(int lanes) { return thread_index() / lanes; }
__device__ inline int lane_of_group(int lanes) { return lane_index() & (lanes - 1); }

// The sum over a group. All lanes of the warp take part, those of groups without a task too.
template <typename T>
__device__ T group_sum(T value, int lanes) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

__device__ inline float group_max(float value, int lanes) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
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
