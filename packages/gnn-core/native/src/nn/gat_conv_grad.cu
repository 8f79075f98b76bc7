// Backward attention: by dst row the gradients of the scores, then by src row those of the projected rows.
#include <cmath>

#include "gnn/cuda/nn/gat_conv.h"
#include "gnn/device/column_sums.h"
#include "gnn/device/warp.h"
#include "gnn/nn/gat_score_sides.h"

namespace gnn::cuda {
namespace {

// By edge (self-loops included) and head: attention that reached the output, and the gradient of the score before the
// leaky ReLU. By row and head: the gradients of the scores' halves.
struct GatEdgeGradients {
  float* passed;
  float* score;
  float* of_src;
  float* of_dst;
};

// A warp per dst row and head. First its lanes multiply the columns of one edge after the other, then they stand side
// by side in the edges.
__global__ void __launch_bounds__(kRowWarps * 32)
    gat_grad_by_dst_kernel(GatConvGrad op, GatEdgeGradients to, float scale) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, task = warp_index(), dst = task / heads,
                h = task - dst * heads;
  if (dst >= op.block.num_dst) return;
  const int64_t begin = op.block.indptr[dst], degree = op.block.indptr[dst + 1] - begin, first = begin + dst;
  const float* dy = op.dy + (op.shape.mean_heads ? dst * dim : (dst * heads + h) * dim);
  const auto src = [&](int64_t i) -> int64_t { return i < degree ? op.block.indices[begin + i] : dst; };
  float inner = 0.0f;
  for (int64_t i = 0; i <= degree; ++i) {
    const float* row = op.saved.z + (src(i) * heads + h) * dim;
    float dot = 0.0f;
    for (int64_t d = lane_index(); d < dim; d += 32) dot += row[d] * dy[d];
    dot = warp_sum(dot) * scale;
    const int64_t at = (first + i) * heads + h;
    const float alpha = op.saved.alpha[at];
    const bool is_kept = !signbit(alpha);
    inner += is_kept ? alpha * dot : 0.0f;
    if (lane_index() == 0) to.passed[at] = is_kept ? alpha * scale : 0.0f;
    if (lane_index() == 0) to.score[at] = is_kept ? dot : 0.0f;
  }
  __syncwarp();
  const float own = op.saved.score_dst[dst * heads + h];
  ScoreSides sides;
  for (int64_t i = lane_index(); i <= degree; i += 32) {
    const int64_t at = (first + i) * heads + h;
    const bool is_positive = op.saved.score_src[src(i) * heads + h] + own > 0.0f;
    const float attention = fabsf(op.saved.alpha[at]), score = attention * (to.score[at] - inner);
    sides.add(is_positive, attention, score);
    to.score[at] = score * (is_positive ? 1.0f : op.shape.slope);
  }
  sides = {warp_sum(sides.positive), warp_sum(sides.negative), warp_sum(sides.positive_attention)};
  if (lane_index() == 0) to.of_dst[dst * heads + h] = sides.gradient(op.shape.slope);
}

// A warp per src row and head, its lanes side by side in the columns. An edge's place is its own plus its dst row's, as
// each dst row has a self-loop behind its edges.
__global__ void __launch_bounds__(kRowWarps * 32) gat_grad_by_src_kernel(GatConvGrad op, GatEdgeGradients from) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, task = warp_index(), src = task / heads,
                h = task - src * heads;
  if (src >= op.block.num_src) return;
  const int32_t begin = op.block.reverse_indptr[src], end = op.block.reverse_indptr[src + 1];
  const bool has_loop = src < op.block.num_dst;
  const int64_t loop = has_loop ? (op.block.indptr[src + 1] + src) * heads + h : 0;
  const int64_t dy_width = op.shape.mean_heads ? dim : heads * dim, offset = op.shape.mean_heads ? 0 : h * dim;
  const auto place = [&](int32_t i) {
    return (op.reverse_edges[i] + int64_t{op.block.reverse_indices[i]}) * heads + h;
  };
  float score = 0.0f;
  for (int32_t i = begin; i < end; ++i) score += from.score[place(i)];
  if (has_loop) score += from.score[loop];
  const float of_dst = has_loop ? from.of_dst[task] : 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) {
    float sum = 0.0f;
    for (int32_t i = begin; i < end; ++i) {
      sum += from.passed[place(i)] * op.dy[op.block.reverse_indices[i] * dy_width + offset + d];
    }
    if (has_loop) sum += from.passed[loop] * op.dy[src * dy_width + offset + d];
    sum += op.attention.src[h * dim + d] * score + op.attention.dst[h * dim + d] * of_dst;
    op.gradients.z[task * dim + d] = sum;
  }
  if (lane_index() == 0) from.of_src[task] = score;
}

// The gradient of the attention's weights [heads, dim]: the rows times the gradients of their scores.
struct ScoredRows {
  const float* scores;
  const float* z;
  int64_t heads, dim;
  __device__ void operator()(int64_t row, int64_t column, float (&sums)[1]) const {
    sums[0] += scores[row * heads + column / dim] * z[row * heads * dim + column];
  }
};

}  // namespace

void gat_conv_grad(Stream& stream, const GatConvGrad& op) {
  const int64_t heads = op.shape.heads, width = heads * op.shape.dim;
  const int64_t num_edges = (op.block.num_edges + op.block.num_dst) * heads;
  const device::Array<float> passed(stream, num_edges), score(stream, num_edges),
      of_src(stream, op.block.num_src * heads), of_dst(stream, op.block.num_dst * heads);
  const GatEdgeGradients edges{passed.data(), score.data(), of_src.data(), of_dst.data()};
  if (op.block.num_dst > 0) {
    device::launch(gat_grad_by_dst_kernel, grid_of_warps(op.block.num_dst * heads), stream, op, edges,
                   gat_scale(op.shape));
  }
  if (op.block.num_src > 0) {
    device::launch(gat_grad_by_src_kernel, grid_of_warps(op.block.num_src * heads), stream, op, edges);
  }
  const ScoredRows by_src{of_src.data(), op.saved.z, heads, op.shape.dim},
      by_dst{of_dst.data(), op.saved.z, heads, op.shape.dim};
  sum_columns<float, 1>(stream, op.block.num_src, width, by_src, StoreSum{op.gradients.src});
  sum_columns<float, 1>(stream, op.block.num_dst, width, by_dst, StoreSum{op.gradients.dst});
}

}  // namespace gnn::cuda
