#include "gnn/cuda/nn/gat_conv.h"

#include <cmath>

#include "gnn/device/columns.h"
#include "gnn/device/philox.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

constexpr int64_t kHeadsPerDraw = 8;

// A group of lanes per src row and head, side by side in the columns: both halves of the scores.
template <int kWidth>
__global__ void __launch_bounds__(kRowWarps * 32) gat_scores_kernel(GatConv op, int lanes) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, task = group_index(lanes), h = task % heads;
  const bool is_there = task < op.block.num_src * heads;
  float of_src = 0.0f, of_dst = 0.0f;
  for (int64_t d = lane_of_group(lanes) * kWidth; is_there && d < dim; d += lanes * kWidth) {
    const auto z = Columns<kWidth>::load(op.z + task * dim + d);
    of_src += z.dot(Columns<kWidth>::load(op.attention.src + h * dim + d));
    of_dst += z.dot(Columns<kWidth>::load(op.attention.dst + h * dim + d));
  }
  of_src = group_sum(of_src, lanes);
  of_dst = group_sum(of_dst, lanes);
  if (!is_there || lane_of_group(lanes) != 0) return;
  op.score_src[task] = of_src;
  if (task < op.block.num_dst * heads) op.score_dst[task] = of_dst;
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

// A group of lanes per dst row and head, side by side in the edges. A stored edge from the row to itself gives way to
// the self-loop.
__global__ void __launch_bounds__(kRowWarps * 32) gat_attend_kernel(GatConv op, int lanes) {
  const int64_t heads = op.shape.heads, task = group_index(lanes), first = lane_of_group(lanes);
  const bool is_there = task < op.block.num_dst * heads;
  const int64_t dst = is_there ? task / heads : 0, h = task % heads;
  const GatEdges edges(op.block, dst);
  const int64_t last = is_there ? edges.degree : -1;
  const float own = op.score_dst[dst * heads + h];
  const auto found_score = [&](int64_t i) {
    const float sum = op.score_src[edges.src(i) * heads + h] + own;
    return sum > 0.0f ? sum : op.shape.slope * sum;
  };
  const float first_score = first <= last ? found_score(first) : -INFINITY;
  const auto score = [&](int64_t i) { return i == first ? first_score : found_score(i); };
  const auto counts = [&](int64_t i) { return i == edges.degree || edges.src(i) != dst; };
  float highest = -INFINITY, sum = 0.0f;
  for (int64_t i = first; i <= last; i += lanes) highest = fmaxf(highest, score(i));
  highest = group_max(highest, lanes);
  for (int64_t i = first; i <= last; i += lanes) sum += counts(i) ? expf(score(i) - highest) : 0.0f;
  sum = group_sum(sum, lanes);
  for (int64_t i = first; i <= last; i += lanes) {
    const float alpha = counts(i) ? expf(score(i) - highest) / sum : 0.0f;
    op.alpha[edges.at(i) * heads + h] = is_dropped(op.shape, edges.src(i), dst, h) ? -alpha : alpha;
  }
}

// Adds one head's rows to the columns of this lane, from column `d` of the head on. The lanes look up 32 edges at once
// and hand them around.
template <int kWidth>
__device__ inline void add_head(const GatConv& op, const GatEdges& edges, int64_t h, int64_t d, float scale,
                                Columns<kWidth>& sum) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim;
  for (int64_t first = 0; first <= edges.degree; first += 32) {
    const int64_t i = first + lane_index();
    const int32_t mine = i <= edges.degree ? static_cast<int32_t>(edges.src(i)) : 0;
    const int count = static_cast<int>(min(int64_t{32}, edges.degree + 1 - first));
    const float* const alphas = op.alpha + edges.at(first) * heads + h;
#pragma unroll 4
    for (int k = 0; k < count; ++k) {
      const int64_t src = __shfl_sync(kAllLanes, mine, k);
      const float alpha = alphas[k * heads];
      sum.add(Columns<kWidth>::load(op.z + (src * heads + h) * dim + d), signbit(alpha) ? 0.0f : alpha * scale);
    }
  }
}

// A warp per dst row, its lanes side by side in the columns of the output.
template <int kWidth>
__global__ void __launch_bounds__(kRowWarps * 32) gat_sum_kernel(GatConv op, float scale) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, dst = warp_index();
  if (dst >= op.block.num_dst) return;
  const GatEdges edges(op.block, dst);
  const int64_t width = op.shape.mean_heads ? dim : heads * dim;
  for (int64_t first = 0; first < width; first += 32 * kWidth) {
    const int64_t own = first + lane_index() * kWidth;
    // A lane beyond the last column reads what another one reads, and writes nothing.
    const int64_t column = own < width ? own : first;
    const int64_t head = op.shape.mean_heads ? 0 : column / dim, num_heads = op.shape.mean_heads ? heads : 1;
    Columns<kWidth> sum{};
    for (int64_t h = 0; h < num_heads; ++h) add_head(op, edges, head + h, column - head * dim, scale, sum);
    if (own < width) sum.store(op.out + dst * width + column);
  }
}

}  // namespace

void gat_conv(Stream& stream, const GatConv& op) {
  const int64_t heads = op.shape.heads, dim = op.shape.dim, num_src = op.block.num_src, num_dst = op.block.num_dst;
  if (num_src == 0) return;
  const bool wide = is_wide(dim, {op.z, op.attention.src, op.attention.dst, op.out});
  const int by_column = group_size(wide ? dim / 4 : dim);
  device::launch(wide ? gat_scores_kernel<4> : gat_scores_kernel<1>, grid_of_groups(num_src * heads, by_column), stream,
                 op, by_column);
  if (num_dst == 0) return;
  const int by_edge = group_size((op.block.num_edges + num_dst) / num_dst);
  device::launch(gat_attend_kernel, grid_of_groups(num_dst * heads, by_edge), stream, op, by_edge);
  device::launch(wide ? gat_sum_kernel<4> : gat_sum_kernel<1>, grid_of_warps(num_dst), stream, op,
                 gat_scale(op.shape));
}

}  // namespace gnn::cuda
