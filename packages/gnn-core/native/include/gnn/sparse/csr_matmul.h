#pragma once
#include "gnn/sparse/block_view.h"

namespace gnn {

// out = act(X weight + bias); act is ReLU or nothing. A null bias is 0.
struct CsrMatmul {
  CsrView x;                    // [rows, dim]
  int64_t out_dim;
  const float* weight;          // [dim, out_dim]
  const float* bias = nullptr;  // [out_dim]
  bool with_relu = false;
  float* out;                   // [rows, out_dim]
};
void csr_matmul(const CsrMatmul& op);

// d_weight [dim, out_dim] = transpose(X) dy. Threads own column slices of d_weight: no atomics.
void csr_matmul_grad(const CsrView& x, int64_t out_dim, const float* dy, float* d_weight);

}  // namespace gnn
