#pragma once
// Sums over the rows of a matrix, column by column and in an order that is always the same: each block adds up a range
// of rows for 32 columns, then the last block adds what all of them found.
#include "gnn/device/array.h"
#include "gnn/device/kernel.h"
#include "gnn/device/last_block.h"

namespace gnn::cuda {

constexpr int kSumColumns = 32, kSumRows = 8;

// How many ranges the rows are cut into; by the shape alone.
inline int64_t num_row_ranges(int64_t rows) {
  constexpr int64_t kMost = 128;
  const int64_t ranges = (rows + 511) / 512;
  return ranges < 1 ? 1 : ranges < kMost ? ranges : kMost;
}

// `term(row, column, sums)` adds to sums[kSums], `finish(column, totals)` gets the sums over all rows. parts [ranges,
// kSums, dim]
template <typename Sum, int kSums, typename Term, typename Finish>
__global__ void __launch_bounds__(kSumColumns * kSumRows)
    sum_columns_kernel(int64_t rows, int64_t dim, Term term, Finish finish, Sum* parts, unsigned* ticket) {
  DEVICE_SHARED(tile, Sum, [kSums][kSumRows][kSumColumns]);
  const int64_t column = static_cast<int64_t>(blockIdx.y) * kSumColumns + threadIdx.x;
  const int64_t per_block = (rows + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * per_block;
  const int64_t end = begin + per_block < rows ? begin + per_block : rows;
  Sum sums[kSums] = {};
  if (column < dim) {
#pragma unroll 4
    for (int64_t row = begin + threadIdx.y; row < end; row += kSumRows) term(row, column, sums);
  }
  for (int k = 0; k < kSums; ++k) tile[k][threadIdx.y][threadIdx.x] = sums[k];
  __syncthreads();
  if (threadIdx.y == 0 && column < dim) {
    for (int k = 0; k < kSums; ++k) {
      Sum total = 0;
      for (int row = 0; row < kSumRows; ++row) total += tile[k][row][threadIdx.x];
      parts[(blockIdx.x * kSums + k) * dim + column] = total;
    }
  }
  if (!is_last_block(ticket)) return;
  for (int64_t c = threadIdx.y * kSumColumns + threadIdx.x; c < dim; c += kSumColumns * kSumRows) {
    Sum totals[kSums] = {};
    for (int64_t range = 0; range < gridDim.x; ++range) {
      for (int k = 0; k < kSums; ++k) totals[k] += written(parts + (range * kSums + k) * dim + c);
    }
    finish(c, totals);
  }
}

template <typename Sum, int kSums, typename Term, typename Finish>
void sum_columns(device::Stream& stream, int64_t rows, int64_t dim, const Term& term, const Finish& finish) {
  if (dim == 0) return;
  const int64_t ranges = num_row_ranges(rows);
  const device::Array<Sum> parts(stream, ranges * kSums * dim);
  const device::Grid grid{dim3(static_cast<unsigned>(ranges), device::blocks_for(dim, kSumColumns)),
                          dim3(kSumColumns, kSumRows)};
  device::launch(sum_columns_kernel<Sum, kSums, Term, Finish>, grid, stream, rows, dim, term, finish, parts.data(),
                 stream.ticket());
}

// Writes each column's one sum.
struct StoreSum {
  float* to;
  __device__ void operator()(int64_t column, const float (&totals)[1]) const { to[column] = totals[0]; }
};

}  // namespace gnn::cuda
