#include "gnn/cuda/sparse/spmm.h"

#include "gnn/cuda/sparse/segment_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// A warp per dst row adds its gradient to each in-neighbour.
__global__ void __launch_bounds__(kRowWarps * 32)
    spmm_mean_grad_atomic_kernel(BlockView block, int64_t dim, const float* dy, float* dx) {
  const int64_t dst = warp_index();
  if (dst >= block.num_dst) return;
  const int32_t begin = block.indptr[dst], end = block.indptr[dst + 1];
  const float scale = begin == end ? 0.0f : 1.0f / static_cast<float>(end - begin);
  for (int64_t d = lane_index(); d < dim; d += 32) {
    const float g = dy[dst * dim + d] * scale;
    for (int32_t e = begin; e < end; ++e) atomicAdd(dx + block.indices[e] * dim + d, g);
  }
}

SegmentSums means(const BlockView& block, int64_t dim, const float* x, float* out) {
  return {.count = block.num_dst,
          .dim = dim,
          .indptr = block.indptr,
          .indices = block.indices,
          .x = x,
          .mean = true,
          .out = out};
}

}  // namespace

void spmm_mean(Stream& stream, const BlockView& block, int64_t dim, const float* x, float* out) {
  sum_segments(stream, means(block, dim, x, out));
}

void spmm_mean_beside_own(Stream& stream, const BlockView& block, int64_t dim, const float* x, float* out) {
  SegmentSums sums = means(block, dim, x, out);
  sums.beside_own = true;
  sum_segments(stream, sums);
}

void spmm_mean_grad(Stream& stream, const BlockView& block, int64_t dim, const float* dy, int64_t accumulate_until,
                    float* dx, float scale) {
  sum_segments(stream, {.count = block.num_src,
                        .dim = dim,
                        .indptr = block.reverse_indptr,
                        .indices = block.reverse_indices,
                        .x = dy,
                        .degree_indptr = block.indptr,
                        .accumulate_until = accumulate_until,
                        .out = dx,
                        .out_scale = scale});
}

void spmm_mean_grad_atomic(Stream& stream, const BlockView& block, int64_t dim, const float* dy, float* dx) {
  device::zero(dx, block.num_src * dim, stream);
  if (block.num_dst == 0) return;
  device::launch(spmm_mean_grad_atomic_kernel, grid_of_warps(block.num_dst), stream, block, dim, dy, dx);
}

}  // namespace gnn::cuda
