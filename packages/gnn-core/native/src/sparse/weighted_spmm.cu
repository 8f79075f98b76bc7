#include "gnn/cuda/sparse/weighted_spmm.h"

#include "gnn/cuda/sparse/segment_sum.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// A warp per dst row; for each of its edges the lanes multiply columns and add up.
__global__ void __launch_bounds__(kRowWarps * 32)
    sddmm_dot_kernel(BlockView block, int64_t dim, const float* x, const float* y, float* out) {
  const int64_t dst = warp_index();
  if (dst >= block.num_dst) return;
  for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
    const float* row = x + block.indices[e] * dim;
    float sum = 0.0f;
    for (int64_t d = lane_index(); d < dim; d += 32) sum += row[d] * y[dst * dim + d];
    sum = warp_sum(sum);
    if (lane_index() == 0) out[e] = sum;
  }
}

// A warp per dst row, its lanes side by side in the columns: the maximum, then how many edges reach it.
__global__ void __launch_bounds__(kRowWarps * 32)
    spmm_max_kernel(BlockView block, int64_t dim, const float* x, float* out, float* share) {
  const int64_t dst = warp_index();
  if (dst >= block.num_dst) return;
  const int32_t begin = block.indptr[dst], end = block.indptr[dst + 1];
  for (int64_t d = lane_index(); d < dim; d += 32) {
    float highest = begin == end ? 0.0f : x[block.indices[begin] * dim + d], ties = 0.0f;
    for (int32_t e = begin; e < end; ++e) {
      const float value = x[block.indices[e] * dim + d];
      highest = value > highest ? value : highest;
    }
    for (int32_t e = begin; e < end; ++e) ties += x[block.indices[e] * dim + d] == highest ? 1.0f : 0.0f;
    out[dst * dim + d] = highest;
    share[dst * dim + d] = ties > 0.0f ? 1.0f / ties : 0.0f;
  }
}

// A warp per src row collects from the dst rows whose maximum it reached.
__global__ void __launch_bounds__(kRowWarps * 32) spmm_max_grad_kernel(SpmmMaxGrad op) {
  const int64_t src = warp_index();
  if (src >= op.block.num_src) return;
  for (int64_t d = lane_index(); d < op.dim; d += 32) {
    const float value = op.x[src * op.dim + d];
    float sum = 0.0f;
    for (int32_t i = op.block.reverse_indptr[src]; i < op.block.reverse_indptr[src + 1]; ++i) {
      const int64_t at = op.block.reverse_indices[i] * op.dim + d;
      sum += value == op.out[at] ? op.share[at] * op.dy[at] : 0.0f;
    }
    op.dx[src * op.dim + d] = sum;
  }
}

}  // namespace

void weighted_spmm(Stream& stream, const BlockView& block, int64_t dim, const WeightedSum& sum, const float* x,
                   float* out) {
  sum_segments(stream, {.count = block.num_dst,
                        .dim = dim,
                        .indptr = block.indptr,
                        .indices = block.indices,
                        .x = x,
                        .entry_weights = sum.edge_weights,
                        .num_selves = sum.self_weights == nullptr ? 0 : block.num_dst,
                        .self_weights = sum.self_weights,
                        .out = out});
}

void weighted_spmm_grad(Stream& stream, const WeightedSpmmGrad& op) {
  sum_segments(stream, {.count = op.block.num_src,
                        .dim = op.dim,
                        .indptr = op.block.reverse_indptr,
                        .indices = op.block.reverse_indices,
                        .x = op.dy,
                        .entry_weights = op.sum.edge_weights,
                        .entries = op.reverse_edges,
                        .num_selves = op.sum.self_weights == nullptr ? 0 : op.block.num_dst,
                        .self_weights = op.sum.self_weights,
                        .out = op.dx});
}

void sddmm_dot(Stream& stream, const BlockView& block, int64_t dim, const float* x, const float* y, float* out) {
  if (block.num_dst == 0) return;
  device::launch(sddmm_dot_kernel, grid_of_warps(block.num_dst), stream, block, dim, x, y, out);
}

void spmm_max(Stream& stream, const BlockView& block, int64_t dim, const float* x, float* out, float* share) {
  if (block.num_dst == 0) return;
  device::launch(spmm_max_kernel, grid_of_warps(block.num_dst), stream, block, dim, x, out, share);
}

void spmm_max_grad(Stream& stream, const SpmmMaxGrad& op) {
  if (op.block.num_src == 0) return;
  device::launch(spmm_max_grad_kernel, grid_of_warps(op.block.num_src), stream, op);
}

}  // namespace gnn::cuda
