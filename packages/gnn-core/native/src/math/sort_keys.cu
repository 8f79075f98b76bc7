// Sorts by eight bits of the keys after the other, the lowest first. What comes before an entry is counted tile by
// tile, so that nothing depends on which thread comes first.
#include "gnn/cuda/math/sort_keys.h"

#include "gnn/cuda/sampling/exclusive_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/kernel.h"

namespace gnn::cuda {
namespace {

constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;
// Entries of a block, a thread each; as many as there are digits, whose counts the threads write.
constexpr int kDigitTile = kDigits;

struct Pass {
  int64_t count, num_tiles;
  int shift;
  const int32_t* keys;
  const int32_t* order;  // null: the entries lie where they lay
  SortedKeys to;
};

__device__ inline int digit_of(const Pass& pass, int64_t i) { return (pass.keys[i] >> pass.shift) & (kDigits - 1); }

// counts[digit][tile]
__global__ void __launch_bounds__(kDigitTile) count_digits_kernel(Pass pass, int32_t* counts) {
  DEVICE_SHARED(of_tile, int32_t, [kDigits]);
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kDigitTile + thread;
  of_tile[thread] = 0;
  __syncthreads();
  if (i < pass.count) atomicAdd(of_tile + digit_of(pass, i), 1);
  __syncthreads();
  counts[thread * pass.num_tiles + blockIdx.x] = of_tile[thread];
}

// @param first [digit][tile]: where the tile's entries with that digit begin
__global__ void __launch_bounds__(kDigitTile) place_by_digit_kernel(Pass pass, const int32_t* first) {
  DEVICE_SHARED(digits, int32_t, [kDigitTile]);
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kDigitTile + thread;
  const int digit = i < pass.count ? digit_of(pass, i) : kDigits;
  digits[thread] = digit;
  __syncthreads();
  if (i >= pass.count) return;
  int32_t at = first[digit * pass.num_tiles + blockIdx.x];
  for (int other = 0; other < thread; ++other) at += digits[other] == digit;
  pass.to.keys[at] = pass.keys[i];
  pass.to.order[at] = pass.order == nullptr ? static_cast<int32_t>(i) : pass.order[i];
}

int passes_of(int64_t bound) {
  int passes = 1;
  while ((bound - 1) >> (passes * kDigitBits) > 0) ++passes;
  return passes;
}

}  // namespace

void sort_keys(Stream& stream, int64_t count, const int32_t* keys, int64_t bound, const SortedKeys& out) {
  if (count == 0) return;
  const int passes = passes_of(bound);
  const int64_t num_tiles = device::blocks_for(count, kDigitTile), num_counts = kDigits * num_tiles;
  const device::Array<int32_t> counts(stream, num_counts), first(stream, num_counts + 1);
  const int64_t between = passes > 1 ? count : 0;
  const device::Array<int32_t> other_keys(stream, between), other_order(stream, between);
  const SortedKeys other{other_keys.data(), other_order.data()};
  Pass pass{count, num_tiles, 0, keys, nullptr, out};
  for (int i = 0; i < passes; ++i, pass.shift += kDigitBits) {
    pass.to = (passes - i) % 2 == 1 ? out : other;  // the last is `out`
    const device::Grid grid{static_cast<unsigned>(num_tiles), kDigitTile};
    device::launch(count_digits_kernel, grid, stream, pass, counts.data());
    exclusive_sum(stream, num_counts, counts.data(), first.data());
    device::launch(place_by_digit_kernel, grid, stream, pass, first.data());
    pass.keys = pass.to.keys, pass.order = pass.to.order;
  }
}

}  // namespace gnn::cuda
