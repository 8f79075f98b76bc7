#include "gnn/cuda/sparse/gather_rows.h"

#include "gnn/device/array.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// A warp copies a row, its lanes side by side: kFrom reads the row that is named, else it writes there.
template <bool kFrom>
__global__ void move_rows_kernel(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  const int64_t i = warp_index();
  if (i >= num_rows) return;
  const int64_t other = rows[i];
  const float* from = x + (kFrom ? other : i) * dim;
  float* to = out + (kFrom ? i : other) * dim;
  for (int64_t d = lane_index(); d < dim; d += 32) to[d] = from[d];
}

// A warp adds a row.
__global__ void scatter_add_kernel(ScatterAddRows op) {
  const int64_t i = warp_index();
  if (i >= op.num_rows) return;
  float* to = op.out + op.rows[i] * op.dim;
  for (int64_t d = lane_index(); d < op.dim; d += 32) atomicAdd(to + d, op.dy[i * op.dim + d]);
}

}  // namespace

void gather_rows(Stream& stream, int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  if (num_rows == 0) return;
  device::launch(move_rows_kernel<true>, grid_of_warps(num_rows), stream, num_rows, dim, x, rows, out);
}

void put_rows(Stream& stream, int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  if (num_rows == 0) return;
  device::launch(move_rows_kernel<false>, grid_of_warps(num_rows), stream, num_rows, dim, x, rows, out);
}

void scatter_add_rows(Stream& stream, const ScatterAddRows& op) {
  device::zero(op.out, op.num_out * op.dim, stream);
  if (op.num_rows == 0) return;
  device::launch(scatter_add_kernel, grid_of_warps(op.num_rows), stream, op);
}

}  // namespace gnn::cuda
