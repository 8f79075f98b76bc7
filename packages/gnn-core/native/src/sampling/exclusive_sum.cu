#include "gnn/cuda/sampling/exclusive_sum.h"

#include "gnn/device/array.h"
#include "gnn/device/block_scan.h"

namespace gnn::cuda {
namespace {

// A thread per value: sums within the block, and the block's total.
__global__ void __launch_bounds__(kScanThreads)
    scan_blocks_kernel(int64_t count, const int32_t* values, int32_t* sums, int32_t* totals) {
  const int64_t i = thread_index();
  int32_t total;
  const int32_t before = block_scan(i < count ? values[i] : 0, &total);
  if (i < count) sums[i] = before;
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// One block walks over the totals; each becomes the sum of those before it, and *all that of all.
__global__ void __launch_bounds__(kScanThreads) scan_totals_kernel(int64_t count, int32_t* totals, int32_t* all) {
  int32_t base = 0;
  for (int64_t first = 0; first < count; first += kScanThreads) {
    const int64_t i = first + threadIdx.x;
    int32_t total;
    const int32_t before = block_scan(i < count ? totals[i] : 0, &total);
    if (i < count) totals[i] = base + before;
    base += total;
  }
  if (threadIdx.x == 0) *all = base;
}

// A thread per value.
__global__ void __launch_bounds__(kScanThreads) add_totals_kernel(int64_t count, const int32_t* totals, int32_t* sums) {
  const int64_t i = thread_index();
  if (i < count) sums[i] += totals[blockIdx.x];
}

}  // namespace

void exclusive_sum(Stream& stream, int64_t count, const int32_t* values, int32_t* sums) {
  if (count == 0) return device::zero(sums, 1, stream);
  const unsigned blocks = device::blocks_for(count, kScanThreads);
  const device::Array<int32_t> totals(stream, blocks);
  device::launch(scan_blocks_kernel, {blocks, kScanThreads}, stream, count, values, sums, totals.data());
  device::launch(scan_totals_kernel, {1, kScanThreads}, stream, int64_t{blocks}, totals.data(), sums + count);
  device::launch(add_totals_kernel, {blocks, kScanThreads}, stream, count, totals.data(), sums);
}

}  // namespace gnn::cuda
