#pragma once
// The kernels that bindings call, on the processor or, with HOPWISE_DEVICE, on the device of the calling thread: one
// binding of a kernel serves both addons.
#ifdef HOPWISE_DEVICE
#include "device/kernels.h"
#else
#include "gnn/dense/linear.h"
#include "gnn/dense/sgemm.h"
#include "gnn/loss/cross_entropy.h"
#include "gnn/loss/k_vs_all.h"
#include "gnn/loss/regression_loss.h"
#include "gnn/loss/sigmoid_cross_entropy.h"
#include "gnn/nn/add_activate.h"
#include "gnn/nn/appnp_hop.h"
#include "gnn/nn/bias_activate.h"
#include "gnn/nn/dropout.h"
#include "gnn/nn/gat_conv.h"
#include "gnn/nn/gin_sum.h"
#include "gnn/nn/head_products.h"
#include "gnn/nn/head_sums.h"
#include "gnn/nn/relation_conv.h"
#include "gnn/nn/sage_conv.h"
#include "gnn/norm/batch_norm.h"
#include "gnn/norm/layer_norm.h"
#include "gnn/sparse/csr_matmul.h"
#include "gnn/sparse/gather_rows.h"
#include "gnn/sparse/spmm.h"
#include "gnn/sparse/weighted_spmm.h"

namespace hopwise::kernels {

using namespace gnn;

// Columns of what sage_conv leaves for its gradient, a row for each dst row: the means.
inline int64_t aggregated_columns(int64_t in_dim) { return in_dim; }

// Sums are made in double and given as the element of an array, which may lie on a device.
inline void cross_entropy_sum(const CrossEntropy& op, float* to) {
  double sum;
  gnn::cross_entropy_sum(op, &sum);
  *to = static_cast<float>(sum);
}
inline void sigmoid_cross_entropy_sum(const SigmoidCrossEntropy& op, float* to) {
  double sum;
  gnn::sigmoid_cross_entropy_sum(op, &sum);
  *to = static_cast<float>(sum);
}
inline void regression_loss_sum(const RegressionLoss& op, float* to) {
  double sum;
  gnn::regression_loss_sum(op, &sum);
  *to = static_cast<float>(sum);
}
inline void k_vs_all(const KvsAll& op, float* loss) { *loss = static_cast<float>(gnn::k_vs_all(op)); }

}  // namespace hopwise::kernels
#endif
