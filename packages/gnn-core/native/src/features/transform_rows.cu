#include "gnn/cuda/features/transform_rows.h"

#include <cmath>

#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

constexpr int kSumLanes = 8;  // the CPU's, for its bits

struct Extent {
  int64_t begin, end;  // of a row in `values`
};

__device__ inline Extent extent_of(const RowsView& rows, int64_t row) {
  if (rows.indptr == nullptr) return {row * rows.dim, (row + 1) * rows.dim};
  return {rows.indptr[row], rows.indptr[row + 1]};
}

// A warp per row: eight lanes add up, then all divide.
__global__ void __launch_bounds__(kRowWarps * 32) row_normalize_kernel(RowsView rows) {
  const int64_t row = warp_index();
  if (row >= rows.rows) return;
  const auto [begin, end] = extent_of(rows, row);
  double mine = 0, sum = 0;
  for (int64_t i = begin + lane_index(); lane_index() < kSumLanes && i < end; i += kSumLanes) {
    mine += fabs(static_cast<double>(rows.values[i]));
  }
  for (int lane = 0; lane < kSumLanes; ++lane) sum += __shfl_sync(kAllLanes, mine, lane);
  if (!(sum > 0)) return;
  for (int64_t i = begin + lane_index(); i < end; i += 32) rows.values[i] = static_cast<float>(rows.values[i] / sum);
}

// A warp per row, its lanes side by side in the columns or non-zeros.
__global__ void __launch_bounds__(kRowWarps * 32)
    standardize_kernel(RowsView rows, const float* mean, const float* scale) {
  const int64_t row = warp_index();
  if (row >= rows.rows) return;
  const auto [begin, end] = extent_of(rows, row);
  for (int64_t i = begin + lane_index(); i < end; i += 32) {
    const int64_t column = rows.indptr == nullptr ? i - begin : rows.indices[i];
    const double centered = static_cast<double>(rows.values[i]) - (rows.indptr == nullptr ? mean[column] : 0.0f);
    rows.values[i] = static_cast<float>(centered / scale[column]);
  }
}

}  // namespace

void row_normalize(Stream& stream, const RowsView& rows) {
  if (rows.rows > 0) device::launch(row_normalize_kernel, grid_of_warps(rows.rows), stream, rows);
}

void standardize(Stream& stream, const RowsView& rows, const float* mean, const float* scale) {
  if (rows.rows > 0) device::launch(standardize_kernel, grid_of_warps(rows.rows), stream, rows, mean, scale);
}

}  // namespace gnn::cuda
