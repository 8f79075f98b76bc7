#pragma once
// The kernels of the device, called as those of the processor are: on the calling thread's stream. See kernels.h.
#include "device.h"
#include "gnn/cuda/dense/linear.h"
#include "gnn/cuda/dense/sgemm.h"
#include "gnn/cuda/nn/appnp_hop.h"
#include "gnn/cuda/nn/bias_activate.h"
#include "gnn/cuda/nn/dropout.h"
#include "gnn/cuda/nn/gat_conv.h"
#include "gnn/cuda/nn/gin_sum.h"
#include "gnn/cuda/nn/head_products.h"
#include "gnn/cuda/nn/head_sums.h"
#include "gnn/cuda/nn/relation_conv.h"
#include "gnn/cuda/norm/batch_norm.h"
#include "gnn/cuda/norm/layer_norm.h"
#include "gnn/cuda/sparse/csr_matmul.h"
#include "gnn/cuda/sparse/gather_rows.h"
#include "gnn/cuda/sparse/spmm.h"
#include "gnn/cuda/sparse/weighted_spmm.h"
#include "gnn/loss/cross_entropy.h"
#include "gnn/loss/k_vs_all.h"
#include "gnn/loss/regression_loss.h"
#include "gnn/loss/sigmoid_cross_entropy.h"
#include "gnn/nn/sage_conv.h"

namespace hopwise::kernels {

namespace cuda = gnn::cuda;

inline void sgemm(const gnn::Sgemm& op) { cuda::sgemm(stream(), op); }
inline void masked_bias_grad(const gnn::MaskedBiasGrad& op) { cuda::masked_bias_grad(stream(), op); }
void linear(const gnn::Linear& op);
void linear_grad(const gnn::LinearGrad& op);

// Columns of what sage_conv leaves for its gradient: each dst row itself beside the mean, one factor of one product.
inline int64_t aggregated_columns(int64_t in_dim) { return 2 * in_dim; }
void sage_conv(const gnn::SageConv& op);
void sage_conv_grad(const gnn::SageConvGrad& op);
void sage_conv_csr(const gnn::SageConvCsr& op);
void sage_conv_csr_grad(const gnn::SageConvCsrGrad& op);

inline void gather_rows(int64_t count, int64_t dim, const float* x, const int32_t* rows, float* out) {
  cuda::gather_rows(stream(), count, dim, x, rows, out);
}
inline void scatter_add_rows(const gnn::ScatterAddRows& op) { cuda::scatter_add_rows(stream(), op); }
inline void spmm_mean(const gnn::BlockView& block, const gnn::RowSource& x, float* out) {
  cuda::spmm_mean(stream(), block, x.dim(), x.contiguous(), out);
}
inline void spmm_mean_grad(const gnn::BlockView& block, int64_t dim, const float* dy, int64_t accumulate_until,
                           float* dx) {
  cuda::spmm_mean_grad(stream(), block, dim, dy, accumulate_until, dx);
}
inline void csr_matmul(const gnn::CsrMatmul& op) { cuda::csr_matmul(stream(), op); }
inline void csr_matmul_grad(const gnn::CsrView& x, int64_t out_dim, const float* dy, float* d_weight) {
  cuda::csr_matmul_grad(stream(), x, out_dim, dy, d_weight);
}

inline void weighted_spmm(const gnn::BlockView& block, const gnn::WeightedSum& sum, const gnn::RowSource& x,
                          float* out) {
  cuda::weighted_spmm(stream(), block, x.dim(), sum, x.contiguous(), out);
}
inline void weighted_spmm_grad(const gnn::WeightedSpmmGrad& op) { cuda::weighted_spmm_grad(stream(), op); }
inline void sddmm_dot(const gnn::BlockView& block, int64_t dim, const float* x, const float* y, float* out) {
  cuda::sddmm_dot(stream(), block, dim, x, y, out);
}
inline void spmm_max(const gnn::BlockView& block, int64_t dim, const float* x, float* out, float* share) {
  cuda::spmm_max(stream(), block, dim, x, out, share);
}
inline void spmm_max_grad(const gnn::SpmmMaxGrad& op) { cuda::spmm_max_grad(stream(), op); }
inline void edge_softmax(const gnn::BlockView& block, int64_t heads, const float* scores, float* out) {
  cuda::edge_softmax(stream(), block, heads, scores, out);
}
inline void edge_softmax_grad(const gnn::BlockView& block, int64_t heads, const float* out, const float* dy,
                              float* d_scores) {
  cuda::edge_softmax_grad(stream(), block, heads, out, dy, d_scores);
}
inline void gcn_norm(const gnn::GcnNorm& op) { cuda::gcn_norm(stream(), op); }
inline void symmetric_norm(const gnn::SymmetricNorm& op) { cuda::symmetric_norm(stream(), op); }

inline void bias_activate(const gnn::BiasActivate& op) { cuda::bias_activate(stream(), op); }
inline void bias_activate_grad(const gnn::BiasActivateGrad& op) { cuda::bias_activate_grad(stream(), op); }
inline void add_activate(const gnn::AddActivate& op) { cuda::add_activate(stream(), op); }
inline void add_activate_grad(const gnn::AddActivateGrad& op) { cuda::add_activate_grad(stream(), op); }
inline void dropout_rows(const gnn::DropoutRows& op) { cuda::dropout_rows(stream(), op); }
inline void dropout_csr(const gnn::CsrView& x, const int32_t* row_ids, const gnn::DropoutKey& key, uint32_t threshold,
                        float* out) {
  cuda::dropout_csr(stream(), x, row_ids, key, threshold, out);
}
inline void gat_conv(const gnn::GatConv& op) { cuda::gat_conv(stream(), op); }
inline void gat_conv_grad(const gnn::GatConvGrad& op) { cuda::gat_conv_grad(stream(), op); }
inline void gin_sum(const gnn::GinSum& op) { cuda::gin_sum(stream(), op); }
inline void gin_sum_grad(const gnn::GinSumGrad& op) { cuda::gin_sum_grad(stream(), op); }
inline void neighbor_weights(const gnn::NeighborWeights& op) { cuda::neighbor_weights(stream(), op); }

inline void head_sum(const gnn::HeadShape& shape, const float* weights, const float* x, float* out) {
  cuda::head_sum(stream(), shape, weights, x, out);
}
inline void head_sum_grad(const gnn::HeadShape& shape, const int32_t* reverse_edges, const float* weights,
                          const float* dy, float* dx) {
  cuda::head_sum_grad(stream(), shape, reverse_edges, weights, dy, dx);
}
inline void head_dot(const gnn::HeadShape& shape, const float* x, const float* y, float* out) {
  cuda::head_dot(stream(), shape, x, y, out);
}
inline void multiply_heads(const gnn::HeadProduct& op) { cuda::multiply_heads(stream(), op); }
inline void head_weight_gradients(const gnn::HeadWeightGrad& op) { cuda::head_weight_gradients(stream(), op); }
inline void relation_conv(const gnn::RelationConv& op) { cuda::relation_conv(stream(), op); }
inline void relation_conv_grad(const gnn::RelationConvGrad& op) { cuda::relation_conv_grad(stream(), op); }

inline void appnp_hop(const gnn::BlockView& block, const gnn::AppnpHop& hop, const float* z, const float* h,
                      float* out) {
  cuda::appnp_hop(stream(), block, hop, z, h, out);
}
inline void appnp_hop_grad(const gnn::AppnpHopGrad& op) { cuda::appnp_hop_grad(stream(), op); }

inline void layer_norm(const gnn::LayerNorm& op) { cuda::layer_norm(stream(), op); }
inline void layer_norm_grad(const gnn::LayerNormGrad& op) { cuda::layer_norm_grad(stream(), op); }
inline void l2_normalize(int64_t rows, int64_t dim, const float* x, float* norms, float* out) {
  cuda::l2_normalize(stream(), rows, dim, x, norms, out);
}
inline void l2_normalize_grad(const gnn::L2NormalizeGrad& op) { cuda::l2_normalize_grad(stream(), op); }
inline void batch_norm(const gnn::BatchNorm& op) { cuda::batch_norm(stream(), op); }
inline void batch_norm_grad(const gnn::BatchNormGrad& op) { cuda::batch_norm_grad(stream(), op); }
inline void column_moments(int64_t rows, int64_t dim, const float* x, const float* center, float* sums) {
  cuda::column_moments(stream(), rows, dim, x, center, sums);
}
inline void add_moment_gradient(const gnn::AddMomentGradient& op) { cuda::add_moment_gradient(stream(), op); }

// Sums stay on the device.
void cross_entropy_sum(const gnn::CrossEntropy& op, float* to);
void cross_entropy_grad(const gnn::CrossEntropy& op, float scale, float* d_logits);
void sigmoid_cross_entropy_sum(const gnn::SigmoidCrossEntropy& op, float* to);
void sigmoid_cross_entropy_grad(const gnn::SigmoidCrossEntropy& op, float scale, float* d_logits);
void regression_loss_sum(const gnn::RegressionLoss& op, float* to);
void regression_loss_grad(const gnn::RegressionLoss& op, float scale, float* d_outputs);
void k_vs_all(const gnn::KvsAll& op, float* loss);

}  // namespace hopwise::kernels
