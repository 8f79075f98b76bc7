#include "gnn/cuda/sparse/weighted_spmm.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

__device__ inline double degree_or_one(const float* degrees, int64_t row) {
  return degrees[row] != 0.0f ? static_cast<double>(degrees[row]) : 1.0;
}

// A warp per dst row, its lanes side by side in the edges. In float64, as the CPU's.
__global__ void __launch_bounds__(kRowWarps * 32) symmetric_norm_kernel(SymmetricNorm op) {
  const int64_t dst = warp_index();
  if (dst >= op.block.num_dst) return;
  const int32_t begin = op.block.indptr[dst], end = op.block.indptr[dst + 1];
  double present = static_cast<double>(end - begin);
  if (op.weights != nullptr) {
    present = 0.0;
    for (int32_t e = begin + lane_index(); e < end; e += 32) present += static_cast<double>(op.weights[e]);
    present = warp_sum(present);
  }
  const double degree = degree_or_one(op.degrees, dst), root = 1.0 / sqrt(degree);
  const double share = present == 0.0 ? 0.0 : degree / present;
  for (int32_t e = begin + lane_index(); e < end; e += 32) {
    const double weight = op.weights != nullptr ? static_cast<double>(op.weights[e]) : 1.0;
    const double factor = op.importance != nullptr ? static_cast<double>(op.importance[e]) : share;
    const double of_src = 1.0 / sqrt(degree_or_one(op.degrees, op.block.indices[e]));
    op.edges[e] = static_cast<float>(weight * of_src * root * factor);
  }
}

}  // namespace

void symmetric_norm(Stream& stream, const SymmetricNorm& op) {
  if (op.block.num_dst == 0) return;
  device::launch(symmetric_norm_kernel, grid_of_warps(op.block.num_dst), stream, op);
}

}  // namespace gnn::cuda
