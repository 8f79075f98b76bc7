#pragma once
#include "gnn/sparse/block_view.h"

namespace gnn {

// out [rows, out_dim] = act(X weight + bias); X is CSR [rows, dim], bias may be null (0).
void csr_matmul(const CsrView& x, int64_t out_dim, const float* weight, const float* bias, bool with_relu, float* out);

// d_weight [dim, out_dim] = transpose(X) dy. Threads own column slices of d_weight: no atomics.
void csr_matmul_grad(const CsrView& x, int64_t out_dim, const float* dy, float* d_weight);

}  // namespace gnn
