#include "gnn/cuda/dense/linear.h"

#include "gnn/device/column_sums.h"

namespace gnn::cuda {
namespace {

struct MaskAndSum {
  MaskedBiasGrad op;
  __device__ void operator()(int64_t row, int64_t column, float (&sums)[1]) const {
    const int64_t at = row * op.dim + column;
    float g = op.dy[at];
    if (op.out != nullptr) op.masked[at] = g = op.out[at] > 0.0f ? g : 0.0f;
    sums[0] += g;
  }
};

}  // namespace

void masked_bias_grad(Stream& stream, const MaskedBiasGrad& op) {
  sum_columns<float, 1>(stream, op.rows, op.dim, MaskAndSum{op}, StoreSum{op.d_bias});
}

}  // namespace gnn::cuda
