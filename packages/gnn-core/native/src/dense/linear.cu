#include "gnn/cuda/dense/linear.h"

#include "gnn/device/column_sums.h"

namespace gnn::cuda {
namespace {

struct Sum {
  MaskedBiasGrad op;
  __device__ void operator()(int64_t row, int64_t column, float (&sums)[1]) const {
    sums[0] += op.dy[row * op.dim + column];
  }
};

// Nothing that is read is written (__ldg): several rows are read before the first is stored.
struct MaskAndSum {
  MaskedBiasGrad op;
  __device__ void operator()(int64_t row, int64_t column, float (&sums)[1]) const {
    const int64_t at = row * op.dim + column;
    const float out = __ldg(op.out + at), dy = __ldg(op.dy + at), g = out > 0.0f ? dy : 0.0f;
    op.masked[at] = g;
    sums[0] += g;
  }
};

}  // namespace

void masked_bias_grad(Stream& stream, const MaskedBiasGrad& op) {
  const StoreSum store{op.d_bias};
  if (op.out == nullptr) return sum_columns<float, 1>(stream, op.rows, op.dim, Sum{op}, store);
  sum_columns<float, 1>(stream, op.rows, op.dim, MaskAndSum{op}, store);
}

}  // namespace gnn::cuda
