#include "gnn/cuda/nn/gat_conv.h"

#include <cmath>

#include "gnn/device/philox.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

constexpr int64_t kHeadsPerDraw = 8;

// A warp per src row and head, its lanes side by side in the columns: both halves of the scores.
__global__ void __launch_bounds__(kRowWarps * 32) gat_scores_kernel(GatConv op) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, task = warp_index(), src = task / heads,
                h = task - src * heads;
  if (src >= op.block.num_src) return;
  float of_src = 0.0f, of_dst = 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) {
    const float value = op.z[task * dim + d];
    of_src += value * op.attention.src[h * dim + d];
    of_dst += value * op.attention.dst[h * dim + d];
  }
  of_src = warp_sum(of_src);
  of_dst = warp_sum(of_dst);
  if (lane_index() != 0) return;
  op.score_src[task] = of_src;
  if (src < op.block.num_dst) op.score_dst[task] = of_dst;
}

// The in-edges of a dst row, its self-loop last.
struct GatEdges {
  __device__ GatEdges(const BlockView& block, int64_t dst)
      : first(block.indptr[dst]), degree(block.indptr[dst + 1] - block.indptr[dst]), indices(block.indices), dst(dst) {}
  __device__ int64_t src(int64_t i) const { return i < degree ? indices[first + i] : dst; }
  // Where edge i lies in arrays by edge.
  __device__ int64_t at(int64_t i) const { return first + dst + i; }
  int64_t first, degree;
  const int32_t* indices;
  int64_t dst;
};

__device__ inline bool is_dropped(const GatShape& shape, int64_t src, int64_t dst, int64_t h) {
  if (shape.threshold == 0) return false;
  uint32_t words[4] = {static_cast<uint32_t>(shape.src_ids[dst]), static_cast<uint32_t>(shape.src_ids[src]),
                       shape.key.epoch, shape.key.step};
  draw_words(words, shape.key.seed, shape.key.layer + 65536u * static_cast<uint32_t>(1 + h / kHeadsPerDraw));
  return half_word(words, static_cast<int>(h % kHeadsPerDraw)) < shape.threshold;
}

// A warp per dst row and head, its lanes side by side in the edges. A stored edge from the row to itself gives way to
// the self-loop.
__global__ void __launch_bounds__(kRowWarps * 32) gat_attend_kernel(GatConv op) {
  const int64_t heads = op.shape.heads, task = warp_index(), dst = task / heads, h = task - dst * heads;
  if (dst >= op.block.num_dst) return;
  const GatEdges edges(op.block, dst);
  const float own = op.score_dst[dst * heads + h];
  const auto score = [&](int64_t i) {
    const float sum = op.score_src[edges.src(i) * heads + h] + own;
    return sum > 0.0f ? sum : op.shape.slope * sum;
  };
  const auto counts = [&](int64_t i) { return i == edges.degree || edges.src(i) != dst; };
  float highest = -INFINITY, sum = 0.0f;
  for (int64_t i = lane_index(); i <= edges.degree; i += 32) highest = fmaxf(highest, score(i));
  highest = warp_max(highest);
  for (int64_t i = lane_index(); i <= edges.degree; i += 32) sum += counts(i) ? expf(score(i) - highest) : 0.0f;
  sum = warp_sum(sum);
  for (int64_t i = lane_index(); i <= edges.degree; i += 32) {
    const float alpha = counts(i) ? expf(score(i) - highest) / sum : 0.0f;
    op.alpha[edges.at(i) * heads + h] = is_dropped(op.shape, edges.src(i), dst, h) ? -alpha : alpha;
  }
}

// A warp per dst row, its lanes side by side in the columns of the output.
__global__ void __launch_bounds__(kRowWarps * 32) gat_sum_kernel(GatConv op, float scale) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, dst = warp_index();
  if (dst >= op.block.num_dst) return;
  const GatEdges edges(op.block, dst);
  const int64_t width = op.shape.mean_heads ? dim : heads * dim;
  for (int64_t column = lane_index(); column < width; column += 32) {
    float sum = 0.0f;
    const int64_t h0 = op.shape.mean_heads ? 0 : column / dim, h1 = op.shape.mean_heads ? heads : h0 + 1;
    for (int64_t h = h0; h < h1; ++h) {
      for (int64_t i = 0; i <= edges.degree; ++i) {
        const float alpha = op.alpha[edges.at(i) * heads + h];
        const float factor = signbit(alpha) ? 0.0f : alpha * scale;
        sum += factor * op.z[(edges.src(i) * heads + h) * dim + column % dim];
      }
    }
    op.out[dst * width + column] = sum;
  }
}

}  // namespace

void gat_conv(Stream& stream, const GatConv& op) {
  if (op.block.num_src == 0) return;
  device::launch(gat_scores_kernel, grid_of_warps(op.block.num_src * op.shape.heads), stream, op);
  if (op.block.num_dst == 0) return;
  device::launch(gat_attend_kernel, grid_of_warps(op.block.num_dst * op.shape.heads), stream, op);
  device::launch(gat_sum_kernel, grid_of_warps(op.block.num_dst), stream, op, gat_scale(op.shape));
}

}  // namespace gnn::cuda
