#pragma once
// One sum over many items, in double and in an order that is always the same.
#include "gnn/device/array.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {

constexpr int64_t kMostParts = 128;

// A warp per item, and then for one some blocks further on; all its lanes call `term(item)`, lane 0's value counts.
template <typename Term>
__global__ void __launch_bounds__(kRowWarps * 32) total_parts_kernel(int64_t items, Term term, double* parts) {
  DEVICE_SHARED(sums, double, [kRowWarps]);
  double sum = 0;
  for (int64_t item = warp_index(); item < items; item += static_cast<int64_t>(gridDim.x) * kRowWarps) sum += term(item);
  if (lane_index() == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double total = 0;
  for (int warp = 0; warp < kRowWarps; ++warp) total += sums[warp];
  parts[blockIdx.x] = total;
}

// One thread adds the parts and hands the sum to `finish(total)`.
template <typename Finish>
__global__ void add_total_parts_kernel(int64_t count, const double* parts, Finish finish) {
  double total = 0;
  for (int64_t i = 0; i < count; ++i) total += parts[i];
  finish(total);
}

template <typename Term, typename Finish>
void sum_items(device::Stream& stream, int64_t items, const Term& term, const Finish& finish) {
  const int64_t wanted = (items + kRowWarps - 1) / kRowWarps;
  const int64_t count = wanted < 1 ? 1 : wanted < kMostParts ? wanted : kMostParts;
  const device::Array<double> parts(stream, count);
  const device::Grid grid{static_cast<unsigned>(count), kRowWarps * 32};
  device::launch(total_parts_kernel<Term>, grid, stream, items, term, parts.data());
  device::launch(add_total_parts_kernel<Finish>, {1, 1}, stream, count, parts.data(), finish);
}

struct StoreTotal {
  double* to;
  __device__ void operator()(double total) const { *to = total; }
};

}  // namespace gnn::cuda
