#pragma once
#include "gnn/features/row_source.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// GraphSAGE with mean aggregation (Hamilton et al. 2017): out = act(x[:num_dst] W_self + mean(x) W_neigh + b).
// Row-major float32; W_* are [in_dim, out_dim]. Edge messages are never stored. x drops nothing.
struct SageWeights {
  int64_t in_dim;
  int64_t out_dim;
  const float* self;
  const float* neigh;
  const float* bias;
  bool with_relu;
};

// Both pointers are outputs [in_dim, out_dim]; bias [out_dim].
struct SageGradients {
  float* self;
  float* neigh;
  float* bias;
};

// `aggregated` [num_dst, in_dim] given: aggregates first and leaves mean(x) there for sage_conv_grad.
// Null: projects first and aggregates rows of out_dim (mean(x) W = mean(x W)).
void sage_conv(const BlockView& block, const SageWeights& weights, const RowSource& x, float* aggregated, float* out);

// dx [num_src, in_dim] may be null. `aggregated` as it was given to and left by sage_conv; with dx it is overwritten,
// as one more array of its size would be among the largest of a step. The edges by src are walked with dx or without
// `aggregated`.
void sage_conv_grad(const BlockView& block, const SageWeights& weights, const RowSource& x, float* aggregated, const float* out,
                    const float* dy, float* dx, const SageGradients& gradients);

// The layer on CSR rows (num_src of them), projecting first; the features get no gradient.
void sage_conv_csr(const BlockView& block, const SageWeights& weights, const CsrView& x, float* out);
void sage_conv_csr_grad(const BlockView& block, const SageWeights& weights, const CsrView& x, const float* out,
                        const float* dy, const SageGradients& gradients);

}  // namespace gnn
