#include "gnn/cuda/nn/head_sums.h"

#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// Edges by the row that sums over them, and where the weights of each lie.
struct HeadSegments {
  int64_t count;  // rows
  int64_t heads, dim;
  const int32_t* indptr;
  const int32_t* indices;
  const int32_t* entries;  // null: an edge's weights lie at its own place
  const float* weights;
  const float* x;
  float* out;
};

// A warp per row, its lanes side by side in the columns.
__global__ void __launch_bounds__(kRowWarps * 32) head_sum_kernel(HeadSegments op) {
  const int64_t row = warp_index(), width = op.heads * op.dim;
  if (row >= op.count) return;
  for (int64_t column = lane_index(); column < width; column += 32) {
    const int64_t head = column / op.dim;
    float sum = 0.0f;
    for (int32_t i = op.indptr[row]; i < op.indptr[row + 1]; ++i) {
      const int64_t edge = op.entries == nullptr ? i : op.entries[i];
      sum += op.weights[edge * op.heads + head] * op.x[op.indices[i] * width + column];
    }
    op.out[row * width + column] = sum;
  }
}

// A warp per dst row, a lane for each of its edges and heads.
__global__ void __launch_bounds__(kRowWarps * 32)
    head_dot_kernel(HeadShape shape, const float* x, const float* y, float* out) {
  const int64_t dst = warp_index(), heads = shape.heads, dim = shape.dim, width = heads * dim;
  if (dst >= shape.block.num_dst) return;
  const int64_t begin = shape.block.indptr[dst] * heads, end = shape.block.indptr[dst + 1] * heads;
  for (int64_t i = begin + lane_index(); i < end; i += 32) {
    const int64_t at = i % heads * dim;
    const float* a = x + shape.block.indices[i / heads] * width + at;
    const float* b = y + dst * width + at;
    float sum = 0.0f;
    for (int64_t d = 0; d < dim; ++d) sum += a[d] * b[d];
    out[i] = sum;
  }
}

void sum_heads(Stream& stream, const HeadSegments& op) {
  if (op.count > 0 && op.heads * op.dim > 0) device::launch(head_sum_kernel, grid_of_warps(op.count), stream, op);
}

}  // namespace

void head_sum(Stream& stream, const HeadShape& shape, const float* weights, const float* x, float* out) {
  const BlockView& block = shape.block;
  sum_heads(stream, {block.num_dst, shape.heads, shape.dim, block.indptr, block.indices, nullptr, weights, x, out});
}

void head_sum_grad(Stream& stream, const HeadShape& shape, const int32_t* reverse_edges, const float* weights,
                   const float* dy, float* dx) {
  const BlockView& block = shape.block;
  sum_heads(stream, {block.num_src, shape.heads, shape.dim, block.reverse_indptr, block.reverse_indices, reverse_edges,
                     weights, dy, dx});
}

void head_dot(Stream& stream, const HeadShape& shape, const float* x, const float* y, float* out) {
  const int64_t rows = shape.block.num_dst;
  if (rows > 0) device::launch(head_dot_kernel, grid_of_warps(rows), stream, shape, x, y, out);
}

}  // namespace gnn::cuda
