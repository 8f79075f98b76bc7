#include "gnn/cuda/dense/rows.h"

#include "gnn/device/array.h"
#include "gnn/device/column_sums.h"

namespace gnn::cuda {
namespace {

// A thread per element, in all of these.
__global__ void fill_kernel(int64_t count, float value, float* out) {
  const int64_t i = thread_index();
  if (i < count) out[i] = value;
}

__global__ void fill_rows_kernel(int64_t count, int64_t dim, const float* row, float* out) {
  const int64_t i = thread_index();
  if (i < count) out[i] = row[i % dim];
}

__global__ void copy_columns_kernel(CopyColumns op) {
  const int64_t i = thread_index();
  if (i >= op.rows * op.columns) return;
  const int64_t row = i / op.columns, column = i % op.columns;
  float* to = op.out + row * op.out_dim + column;
  const float value = op.x[row * op.x_dim + column];
  *to = op.accumulate ? *to + value : value;
}

struct SumElements {
  const float* x;
  int64_t dim;
  __device__ void operator()(int64_t row, int64_t column, float (&sums)[1]) const { sums[0] += x[row * dim + column]; }
};

}  // namespace

void fill(Stream& stream, int64_t count, float value, float* out) {
  if (value == 0.0f) return device::zero(out, count, stream);
  if (count > 0) device::launch(fill_kernel, device::grid_for(count), stream, count, value, out);
}

void fill_rows(Stream& stream, int64_t rows, int64_t dim, const float* row, float* out) {
  const int64_t count = rows * dim;
  if (count > 0) device::launch(fill_rows_kernel, device::grid_for(count), stream, count, dim, row, out);
}

void copy_columns(Stream& stream, const CopyColumns& op) {
  const int64_t count = op.rows * op.columns;
  if (count > 0) device::launch(copy_columns_kernel, device::grid_for(count), stream, op);
}

void column_sums(Stream& stream, int64_t rows, int64_t dim, const float* x, float* sums) {
  sum_columns<float, 1>(stream, rows, dim, SumElements{x, dim}, StoreSum{sums});
}

}  // namespace gnn::cuda
