// Backward attention: by dst row the gradients of the scores, then by src row those of the projected rows.
#include <cmath>

#include "gnn/cuda/nn/gat_conv.h"
#include "gnn/device/column_sums.h"
#include "gnn/device/columns.h"
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

// A group of lanes per dst row and head. First they multiply the columns of one edge after the other, as many edges as
// the longest row of the warp has, then they stand side by side in the edges.
template <int kWidth>
__global__ void __launch_bounds__(kRowWarps * 32)
    gat_grad_by_dst_kernel(GatConvGrad op, GatEdgeGradients to, float scale, int lanes) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, task = group_index(lanes);
  const bool is_there = task < op.block.num_dst * heads;
  const int64_t dst = is_there ? task / heads : 0, h = task % heads;
  const int32_t begin = op.block.indptr[dst], degree = op.block.indptr[dst + 1] - begin, last = is_there ? degree : -1;
  const int64_t first = begin + dst;
  const float* dy = op.dy + (op.shape.mean_heads ? dst * dim : (dst * heads + h) * dim);
  const auto src = [&](int32_t i) -> int64_t { return i < degree ? op.block.indices[begin + i] : dst; };
  const int lane = lane_of_group(lanes);
  const int32_t last_of_warp = warp_max(last);
  float inner = 0.0f;
  for (int32_t i = 0; i <= last_of_warp; ++i) {
    float dot = 0.0f;
    if (i <= last) {
      const float* row = op.saved.z + (src(i) * heads + h) * dim;
      for (int64_t d = lane * kWidth; d < dim; d += lanes * kWidth) {
        dot += Columns<kWidth>::load(row + d).dot(Columns<kWidth>::load(dy + d));
      }
    }
    dot = group_sum(dot, lanes) * scale;
    if (i > last) continue;
    const int64_t at = (first + i) * heads + h;
    const float alpha = op.saved.alpha[at];
    const bool is_kept = !signbit(alpha);
    inner += is_kept ? alpha * dot : 0.0f;
    if (lane == 0) to.passed[at] = is_kept ? alpha * scale : 0.0f;
    if (lane == 0) to.score[at] = is_kept ? dot : 0.0f;
  }
  __syncwarp();
  const float own = op.saved.score_dst[dst * heads + h];
  ScoreSides sides;
  for (int32_t i = lane; i <= last; i += lanes) {
    const int64_t at = (first + i) * heads + h;
    const bool is_positive = op.saved.score_src[src(i) * heads + h] + own > 0.0f;
    const float attention = fabsf(op.saved.alpha[at]), score = attention * (to.score[at] - inner);
    sides.add(is_positive, attention, score);
    to.score[at] = score * (is_positive ? 1.0f : op.shape.slope);
  }
  sides = {group_sum(sides.positive, lanes), group_sum(sides.negative, lanes),
           group_sum(sides.positive_attention, lanes)};
  if (is_there && lane == 0) to.of_dst[task] = sides.gradient(op.shape.slope);
}

// A group of lanes per src row and head, side by side in the columns. An edge's place is its own plus its dst row's, as
// each dst row has a self-loop behind its edges.
template <int kWidth>
__global__ void __launch_bounds__(kRowWarps * 32)
    gat_grad_by_src_kernel(GatConvGrad op, GatEdgeGradients from, int lanes) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, task = group_index(lanes), src = task / heads,
                h = task - src * heads;
  if (src >= op.block.num_src) return;
  const int32_t begin = op.block.reverse_indptr[src], end = op.block.reverse_indptr[src + 1];
  const bool has_loop = src < op.block.num_dst;
  const int64_t loop = has_loop ? (op.block.indptr[src + 1] + src) * heads + h : 0;
  const int64_t dy_width = op.shape.mean_heads ? dim : heads * dim, offset = op.shape.mean_heads ? 0 : h * dim;
  const float of_dst = has_loop ? from.of_dst[task] : 0.0f;
  for (int64_t d = lane_of_group(lanes) * kWidth; d < dim; d += lanes * kWidth) {
    const float* const dy = op.dy + offset + d;
    Columns<kWidth> sum{};
    float score = 0.0f;
#pragma unroll 4
    for (int32_t i = begin; i < end; ++i) {
      const int64_t dst = op.block.reverse_indices[i], place = (op.reverse_edges[i] + dst) * heads + h;
      score += from.score[place];
      sum.add(Columns<kWidth>::load(dy + dst * dy_width), from.passed[place]);
    }
    if (has_loop) {
      score += from.score[loop];
      sum.add(Columns<kWidth>::load(dy + src * dy_width), from.passed[loop]);
    }
    sum.add(Columns<kWidth>::load(op.attention.src + h * dim + d), score);
    sum.add(Columns<kWidth>::load(op.attention.dst + h * dim + d), of_dst);
    sum.store(op.gradients.z + task * dim + d);
    if (d == 0) from.of_src[task] = score;
  }
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
  const int64_t heads = op.shape.heads, dim = op.shape.dim, width = heads * dim;
  const int64_t num_edges = (op.block.num_edges + op.block.num_dst) * heads;
  const device::Array<float> passed(stream, num_edges), score(stream, num_edges),
      of_src(stream, op.block.num_src * heads), of_dst(stream, op.block.num_dst * heads);
  const GatEdgeGradients edges{passed.data(), score.data(), of_src.data(), of_dst.data()};
  const bool wide = is_wide(dim, {op.saved.z, op.dy, op.attention.src, op.attention.dst, op.gradients.z});
  const int lanes = group_size(wide ? dim / 4 : dim);
  if (op.block.num_dst > 0) {
    device::launch(wide ? gat_grad_by_dst_kernel<4> : gat_grad_by_dst_kernel<1>,
                   grid_of_groups(op.block.num_dst * heads, lanes), stream, op, edges, gat_scale(op.shape), lanes);
  }
  if (op.block.num_src > 0) {
    device::launch(wide ? gat_grad_by_src_kernel<4> : gat_grad_by_src_kernel<1>,
                   grid_of_groups(op.block.num_src * heads, lanes), stream, op, edges, lanes);
  }
  const ScoredRows by_src{of_src.data(), op.saved.z, heads, dim},
      by_dst{of_dst.data(), op.saved.z, heads, dim};
  sum_columns<float, 1>(stream, op.block.num_src, width, by_src, StoreSum{op.gradients.src});
  sum_columns<float, 1>(stream, op.block.num_dst, width, by_dst, StoreSum{op.gradients.dst});
}

}  // namespace gnn::cuda
