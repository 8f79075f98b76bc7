#include "gnn/cuda/math/reduce.h"

#include <cmath>

#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

// Elements that a warp adds up at a time.
constexpr int64_t kSumChunk = 1024;

struct SumOfChunk {
  const float* x;
  int64_t count;
  __device__ double operator()(int64_t chunk) const {
    const int64_t begin = chunk * kSumChunk, end = begin + kSumChunk < count ? begin + kSumChunk : count;
    double sum = 0;
    for (int64_t i = begin + lane_index(); i < end; i += 32) sum += x[i];
    return warp_sum(sum);
  }
};

// A warp per row, in both of these.
__global__ void __launch_bounds__(kRowWarps * 32)
    row_sums_kernel(int64_t rows, int64_t columns, const float* x, float* sums) {
  const int64_t row = warp_index();
  if (row >= rows) return;
  double sum = 0;
  for (int64_t c = lane_index(); c < columns; c += 32) sum += x[row * columns + c];
  sum = warp_sum(sum);
  if (lane_index() == 0) sums[row] = static_cast<float>(sum);
}

__global__ void __launch_bounds__(kRowWarps * 32)
    softmax_rows_kernel(int64_t rows, int64_t columns, const float* x, float* out) {
  const int64_t row = warp_index();
  if (row >= rows) return;
  float highest = -INFINITY;
  for (int64_t c = lane_index(); c < columns; c += 32) highest = fmaxf(highest, x[row * columns + c]);
  highest = warp_max(highest);
  double sum = 0;
  for (int64_t c = lane_index(); c < columns; c += 32) sum += expf(x[row * columns + c] - highest);
  const float by = static_cast<float>(1.0 / warp_sum(sum));
  for (int64_t c = lane_index(); c < columns; c += 32)
    out[row * columns + c] = expf(x[row * columns + c] - highest) * by;
}

}  // namespace

void sum_all(Stream& stream, int64_t count, const float* x, float* sum) {
  sum_items(stream, (count + kSumChunk - 1) / kSumChunk, SumOfChunk{x, count}, StoreRounded{sum});
}

void row_sums(Stream& stream, int64_t rows, int64_t columns, const float* x, float* sums) {
  if (rows > 0) device::launch(row_sums_kernel, grid_of_warps(rows), stream, rows, columns, x, sums);
}

void softmax_rows(Stream& stream, int64_t rows, int64_t columns, const float* x, float* out) {
  if (rows > 0) device::launch(softmax_rows_kernel, grid_of_warps(rows), stream, rows, columns, x, out);
}

}  // namespace gnn::cuda
