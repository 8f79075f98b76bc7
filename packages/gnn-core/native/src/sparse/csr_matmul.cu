#include "gnn/cuda/sparse/csr_matmul.h"

#include "gnn/device/array.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// A warp per row, its lanes side by side in the columns of the result.
__global__ void __launch_bounds__(kRowWarps * 32) csr_matmul_kernel(CsrMatmul op) {
  const int64_t row = warp_index(), dim = op.out_dim;
  if (row >= op.x.rows) return;
  for (int64_t d = lane_index(); d < dim; d += 32) {
    float sum = op.bias != nullptr ? op.bias[d] : 0.0f;
    for (int32_t i = op.x.indptr[row]; i < op.x.indptr[row + 1]; ++i) {
      sum += op.x.values[i] * op.weight[op.x.indices[i] * dim + d];
    }
    op.out[row * dim + d] = op.with_relu && !(sum > 0.0f) ? 0.0f : sum;
  }
}

}  // namespace

void csr_matmul(Stream& stream, const CsrMatmul& op) {
  if (op.x.rows > 0) device::launch(csr_matmul_kernel, grid_of_warps(op.x.rows), stream, op);
}

void csr_matmul_grad(Stream& stream, const CsrView& x, int64_t out_dim, const float* dy, float* d_weight) {
  ValuesByColumn(stream, x).add_up(stream, x.rows, out_dim, dy, d_weight);
}

}  // namespace gnn::cuda
