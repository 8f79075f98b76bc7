#pragma once
#include "gnn/features/row_source.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// GraphSAGE with mean aggregation (Hamilton et al. 2017): out = act(x[:num_dst] W_self + mean(x) W_neigh + b).
// Row-major float32; W_* are [in_dim, out_dim]. Edge messages are never stored. x drops nothing.
struct SageWeights {
  int64_t in_dim;
  int64_t out_dim;
  const float* self;   // [in_dim, out_dim]
  const float* neigh;  // [in_dim, out_dim]
  const float* bias;   // [out_dim]
  bool with_relu;
};

struct SageGradients {
  float* self;   // [in_dim, out_dim]
  float* neigh;  // [in_dim, out_dim]
  float* bias;   // [out_dim]
};

struct SageConv {
  BlockView block;
  SageWeights weights;
  const RowSource& x;           // [num_src, in_dim]
  // [num_dst, in_dim] given: aggregates first and leaves mean(x) there for the gradient. Null: projects first and
  // aggregates rows of out_dim (mean(x) W = mean(x W)).
  float* aggregated = nullptr;
  float* out;                   // [num_dst, out_dim]
};
void sage_conv(const SageConv& op);

// The edges by src are walked with dx or without `aggregated`.
struct SageConvGrad {
  BlockView block;
  SageWeights weights;
  const RowSource& x;
  // As it was given to and left by sage_conv; with dx it is overwritten, as one more array of its size would be among
  // the largest of a step.
  float* aggregated = nullptr;
  const float* out;             // [num_dst, out_dim], the result
  const float* dy;              // [num_dst, out_dim]
  float* dx = nullptr;          // [num_src, in_dim]; null: not needed
  SageGradients gradients;
  // x had elements dropped with this threshold (dropout.h), and nobody reads dx where they were: dx is scaled alone.
  uint32_t dropped = 0;
};
void sage_conv_grad(const SageConvGrad& op);

// The layer on CSR rows, projecting first; the features get no gradient.
struct SageConvCsr {
  BlockView block;
  SageWeights weights;
  CsrView x;   // [num_src, in_dim]
  float* out;  // [num_dst, out_dim]
};
void sage_conv_csr(const SageConvCsr& op);

struct SageConvCsrGrad {
  BlockView block;
  SageWeights weights;
  CsrView x;
  const float* out;
  const float* dy;
  SageGradients gradients;
};
void sage_conv_csr_grad(const SageConvCsrGrad& op);

}  // namespace gnn
