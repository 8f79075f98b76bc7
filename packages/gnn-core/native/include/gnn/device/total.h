#pragma once
// One sum over many items, in double and in an order that is always the same.
#include "gnn/device/array.h"
#include "gnn/device/last_block.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {

constexpr int64_t kMostParts = 128;

// A warp per item, and then for one some blocks further on; all its lanes call `term(item)`, lane 0's value counts. One
// thread of the last block adds up what the blocks found, and hands it to `finish(total)`.
template <typename Term, typename Finish>
__global__ void __launch_bounds__(kRowWarps * 32)
    sum_items_kernel(int64_t items, Term term, Finish finish, double* parts, unsigned* ticket) {
  DEVICE_SHARED(sums, double, [kRowWarps]);
  double sum = 0;
  for (int64_t item = warp_index(); item < items; item += static_cast<int64_t>(gridDim.x) * kRowWarps)
    sum += term(item);
  if (lane_index() == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double total = 0;
    for (int warp = 0; warp < kRowWarps; ++warp) total += sums[warp];
    parts[blockIdx.x] = total;
  }
  if (!is_last_block(ticket) || threadIdx.x != 0) return;
  double total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) total += written(parts + i);
  finish(total);
}

template <typename Term, typename Finish>
void sum_items(device::Stream& stream, int64_t items, const Term& term, const Finish& finish) {
  const int64_t wanted = (items + kRowWarps - 1) / kRowWarps;
  const int64_t count = wanted < 1 ? 1 : wanted < kMostParts ? wanted : kMostParts;
  const device::Array<double> parts(stream, count);
  const device::Grid grid{static_cast<unsigned>(count), kRowWarps * 32};
  device::launch(sum_items_kernel<Term, Finish>, grid, stream, items, term, finish, parts.data(), stream.ticket());
}

struct StoreTotal {
  double* to;
  __device__ void operator()(double total) const { *to = total; }
};

struct StoreRounded {
  float* to;
  __device__ void operator()(double total) const { *to = static_cast<float>(total); }
};

}  // namespace gnn::cuda
