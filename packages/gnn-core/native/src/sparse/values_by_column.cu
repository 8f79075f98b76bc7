#include "gnn/cuda/sparse/values_by_column.h"

#include <algorithm>

#include "gnn/cuda/math/sort_keys.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// A column with more values is added up by a block.
constexpr int32_t kLongColumn = 256;
constexpr int kColumnWarps = 8;
constexpr int64_t kMostBlocks = 2048;

// The first place in [begin, end) of an ascending list with `least` or more
__device__ inline int32_t first_from(const int32_t* list, int32_t begin, int32_t end, int64_t least) {
  while (begin < end) {
    const int32_t middle = begin + (end - begin) / 2;
    if (list[middle] < least) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

// A thread per column, and one for the end.
__global__ void column_starts_kernel(CsrView x, const int32_t* columns, int32_t* indptr) {
  const int64_t column = thread_index();
  if (column <= x.dim) indptr[column] = first_from(columns, 0, static_cast<int32_t>(x.num_values), column);
}

// A thread per value: its row is the last that begins at it or before.
__global__ void rows_of_values_kernel(CsrView x, const int32_t* entries, int32_t* rows) {
  const int64_t i = thread_index();
  if (i >= x.num_values) return;
  rows[i] = first_from(x.indptr, 0, static_cast<int32_t>(x.rows), int64_t{entries[i]} + 1) - 1;
}

struct ColumnSums {
  CsrView x;
  int64_t num_rows, dim;
  const int32_t* indptr;
  const int32_t* entries;
  const int32_t* rows;
  const float* y;
  float* out;
};

__device__ inline float add_part(const ColumnSums& op, int32_t begin, int32_t end, int64_t d) {
  float sum = 0.0f;
  for (int32_t i = begin; i < end; ++i) sum = fmaf(op.x.values[op.entries[i]], op.y[op.rows[i] * op.dim + d], sum);
  return sum;
}

// A warp per column with few values, its lanes side by side in the columns of y.
__global__ void __launch_bounds__(kRowWarps * 32) short_columns_kernel(ColumnSums op) {
  const int64_t column = warp_index();
  if (column >= op.x.dim) return;
  const int32_t begin = op.indptr[column], last = op.indptr[column + 1];
  if (last - begin > kLongColumn) return;
  const int32_t end = first_from(op.rows, begin, last, op.num_rows);
  for (int64_t d = lane_index(); d < op.dim; d += 32) op.out[column * op.dim + d] = add_part(op, begin, end, d);
}

// A block per column with many: each warp adds up a part of them.
__global__ void __launch_bounds__(kColumnWarps * 32) long_columns_kernel(ColumnSums op) {
  DEVICE_SHARED(sums, float, [kColumnWarps][32]);
  const int lane = lane_index(), warp = static_cast<int>(threadIdx.x) / 32;
  for (int64_t column = blockIdx.x; column < op.x.dim; column += gridDim.x) {
    const int32_t begin = op.indptr[column], last = op.indptr[column + 1];
    if (last - begin <= kLongColumn) continue;
    const int32_t end = first_from(op.rows, begin, last, op.num_rows);
    const int32_t part = (end - begin + kColumnWarps - 1) / kColumnWarps;
    const int32_t from = min(begin + warp * part, end), to = min(from + part, end);
    for (int64_t first = 0; first < op.dim; first += 32) {
      const int64_t d = first + lane;
      sums[warp][lane] = d < op.dim ? add_part(op, from, to, d) : 0.0f;
      __syncthreads();
      if (warp == 0 && d < op.dim) {
        float sum = sums[0][lane];
        for (int other = 1; other < kColumnWarps; ++other) sum += sums[other][lane];
        op.out[column * op.dim + d] = sum;
      }
      __syncthreads();
    }
  }
}

}  // namespace

ValuesByColumn::ValuesByColumn(Stream& stream, const CsrView& x)
    : x_(x), indptr_(stream, x.dim + 1), entries_(stream, x.num_values), rows_(stream, x.num_values) {
  const device::Array<int32_t> columns(stream, x.num_values);
  sort_keys(stream, x.num_values, x.indices, x.dim, {columns.data(), entries_.data()});
  device::launch(column_starts_kernel, device::grid_for(x.dim + 1), stream, x, columns.data(), indptr_.data());
  if (x.num_values == 0) return;
  device::launch(rows_of_values_kernel, device::grid_for(x.num_values), stream, x, entries_.data(), rows_.data());
}

void ValuesByColumn::add_up(Stream& stream, int64_t rows, int64_t dim, const float* y, float* out) const {
  if (x_.dim == 0 || dim == 0) return;
  const ColumnSums op{x_, rows, dim, indptr_.data(), entries_.data(), rows_.data(), y, out};
  device::launch(short_columns_kernel, grid_of_warps(x_.dim), stream, op);
  if (x_.num_values <= kLongColumn) return;
  const device::Grid grid{static_cast<unsigned>(std::min(x_.dim, kMostBlocks)), kColumnWarps * 32};
  device::launch(long_columns_kernel, grid, stream, op);
}

}  // namespace gnn::cuda
