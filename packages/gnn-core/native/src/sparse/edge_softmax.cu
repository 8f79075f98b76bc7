#include <cmath>

#include "gnn/cuda/sparse/weighted_spmm.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// A warp per dst row and head, its lanes side by side in the edges.
__global__ void __launch_bounds__(kRowWarps * 32)
    edge_softmax_kernel(BlockView block, int64_t heads, const float* scores, float* out) {
  const int64_t task = warp_index(), dst = task / heads, h = task - dst * heads;
  if (dst >= block.num_dst) return;
  const int32_t begin = block.indptr[dst], end = block.indptr[dst + 1];
  float highest = -INFINITY, sum = 0.0f;
  for (int32_t e = begin + lane_index(); e < end; e += 32) highest = fmaxf(highest, scores[e * heads + h]);
  highest = warp_max(highest);
  for (int32_t e = begin + lane_index(); e < end; e += 32) sum += expf(scores[e * heads + h] - highest);
  sum = warp_sum(sum);
  for (int32_t e = begin + lane_index(); e < end; e += 32) {
    out[e * heads + h] = expf(scores[e * heads + h] - highest) / sum;
  }
}

// A warp per dst row and head, as above.
__global__ void __launch_bounds__(kRowWarps * 32)
    edge_softmax_grad_kernel(BlockView block, int64_t heads, const float* out, const float* dy, float* d_scores) {
  const int64_t task = warp_index(), dst = task / heads, h = task - dst * heads;
  if (dst >= block.num_dst) return;
  const int32_t begin = block.indptr[dst], end = block.indptr[dst + 1];
  float inner = 0.0f;
  for (int32_t e = begin + lane_index(); e < end; e += 32) inner += out[e * heads + h] * dy[e * heads + h];
  inner = warp_sum(inner);
  for (int32_t e = begin + lane_index(); e < end; e += 32) {
    d_scores[e * heads + h] = out[e * heads + h] * (dy[e * heads + h] - inner);
  }
}

__device__ inline float inverse_root_of(const float* degrees, int64_t row) {
  const float degree = degrees[row] + 1.0f;
  return degree > 0.0f ? 1.0f / sqrtf(degree) : 0.0f;
}

// A warp per dst row, its lanes side by side in the edges.
__global__ void __launch_bounds__(kRowWarps * 32) gcn_norm_kernel(GcnNorm op) {
  const int64_t dst = warp_index();
  if (dst >= op.block.num_dst) return;
  const int32_t begin = op.block.indptr[dst], end = op.block.indptr[dst + 1];
  double present = 0.0;
  for (int32_t e = begin + lane_index(); e < end; e += 32) present += op.weights != nullptr ? op.weights[e] : 1.0f;
  const float found = static_cast<float>(warp_sum(present)), of_dst = inverse_root_of(op.degrees, dst);
  const float scale = found > 0.0f && op.importance == nullptr ? of_dst * (op.degrees[dst] / found) : of_dst;
  for (int32_t e = begin + lane_index(); e < end; e += 32) {
    const float weight = op.weights != nullptr ? op.weights[e] : 1.0f;
    const float edge = weight * scale * inverse_root_of(op.degrees, op.block.indices[e]);
    op.edges[e] = op.importance != nullptr ? edge * op.importance[e] : edge;
  }
  if (lane_index() == 0) op.selves[dst] = of_dst * of_dst;
}

}  // namespace

void edge_softmax(Stream& stream, const BlockView& block, int64_t heads, const float* scores, float* out) {
  if (block.num_dst == 0) return;
  device::launch(edge_softmax_kernel, grid_of_warps(block.num_dst * heads), stream, block, heads, scores, out);
}

void edge_softmax_grad(Stream& stream, const BlockView& block, int64_t heads, const float* out, const float* dy,
                       float* d_scores) {
  if (block.num_dst == 0) return;
  device::launch(edge_softmax_grad_kernel, grid_of_warps(block.num_dst * heads), stream, block, heads, out, dy,
                 d_scores);
}

void gcn_norm(Stream& stream, const GcnNorm& op) {
  if (op.block.num_dst == 0) return;
  device::launch(gcn_norm_kernel, grid_of_warps(op.block.num_dst), stream, op);
}

}  // namespace gnn::cuda
