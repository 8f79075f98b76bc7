#include "emulated/mistakes.h"

#include "gnn/device/host_memory.h"
#include "gnn/device/kernel.h"
#include "gnn/device/warp.h"

namespace check {
namespace {

using gnn::cuda::kAllLanes;

__global__ void missing_barrier_kernel(const float* x, float* out) {
  DEVICE_SHARED(tile, float, [64]);
  tile[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];  // no __syncthreads between
}

__global__ void missing_warp_sync_kernel(const float* x, float* out) {
  DEVICE_SHARED(tile, float, [64]);
  tile[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x ^ 1];  // no __syncwarp between: a GPU mostly forgives it
}

__global__ void divergent_barrier_kernel(int n, const float* x, float* out) {
  if (static_cast<int>(threadIdx.x) >= n) return;  // they never come to the barrier
  __syncthreads();
  out[threadIdx.x] = x[threadIdx.x];
}

__global__ void divergent_shuffle_kernel(int n, const float* x, float* out) {
  const float mine = x[threadIdx.x];
  if (static_cast<int>(threadIdx.x % 32) < n) {
    out[threadIdx.x] = __shfl_xor_sync(kAllLanes, mine, 1);
  } else {
    out[threadIdx.x] = __shfl_xor_sync(kAllLanes, mine, 2);
  }
}

__global__ void wrong_mask_kernel(int n, const float* x, float* out) {
  if (static_cast<int>(threadIdx.x) >= n) return;  // the mask still names these lanes
  out[threadIdx.x] = __shfl_xor_sync(kAllLanes, x[threadIdx.x], 1);
}

__global__ void deadlock_kernel(const float* x, float* out) {
  // The first warp waits for the block, the second for lanes of its own that wait for the block.
  if (threadIdx.x < 40) __syncthreads();
  if (threadIdx.x >= 40) __syncwarp();
  out[threadIdx.x] = x[threadIdx.x];
}

__global__ void out_of_bounds_kernel(int n, const float* x, float* out) {
  if (static_cast<int>(threadIdx.x) <= n) out[threadIdx.x] = x[threadIdx.x];  // <= for <
}

__global__ void host_read_kernel(const float* const* x, float* out) {
  out[threadIdx.x] = gnn::device::host_memory(*x, 64)[threadIdx.x];
}

__global__ void unwritten_kernel(int n, const float* x, float* out) {
  if (static_cast<int>(threadIdx.x) < n / 2) out[threadIdx.x] = x[threadIdx.x];
}

__global__ void race_kernel(const float* x, float* out) {
  out[0] = x[threadIdx.x];  // the last one wins
}

}  // namespace

void make_mistake(gnn::device::Stream& stream, Mistake mistake, int n, const float* x, float* out) {
  using gnn::device::launch;
  switch (mistake) {
    case Mistake::kMissingBarrier: return launch(missing_barrier_kernel, {1, 64}, stream, x, out);
    case Mistake::kMissingWarpSync: return launch(missing_warp_sync_kernel, {1, 64}, stream, x, out);
    case Mistake::kDivergentBarrier: return launch(divergent_barrier_kernel, {1, 64}, stream, n, x, out);
    case Mistake::kDivergentShuffle: return launch(divergent_shuffle_kernel, {1, 64}, stream, n, x, out);
    case Mistake::kWrongMask: return launch(wrong_mask_kernel, {1, 32}, stream, n, x, out);
    case Mistake::kDeadlock: return launch(deadlock_kernel, {1, 64}, stream, x, out);
    case Mistake::kOutOfBounds: return launch(out_of_bounds_kernel, {1, 64}, stream, n, x, out);
    case Mistake::kUnwritten: return launch(unwritten_kernel, {1, 64}, stream, n, x, out);
    case Mistake::kRace: return launch(race_kernel, {1, 64}, stream, x, out);
    case Mistake::kNoBlocks: return launch(race_kernel, {gnn::device::blocks_for(0, 64), 64}, stream, x, out);
    case Mistake::kTooManyBlocks: return launch(race_kernel, {dim3(1, 65536), 64}, stream, x, out);
    case Mistake::kTooMuchShared: return launch(race_kernel, {1, 64, 49153}, stream, x, out);
  }
}

void read_host(gnn::device::Stream& stream, const float* const* address, float* out) {
  gnn::device::launch(host_read_kernel, {1, 64}, stream, address, out);
}

}  // namespace check
