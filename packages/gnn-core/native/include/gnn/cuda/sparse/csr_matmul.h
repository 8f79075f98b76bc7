#pragma once
#include "gnn/cuda/sparse/values_by_column.h"
#include "gnn/sparse/csr_matmul.h"

namespace gnn::cuda {

// The twins of gnn/sparse/csr_matmul.h.
void csr_matmul(Stream& stream, const CsrMatmul& op);
// Sums have one order, that of ValuesByColumn.
void csr_matmul_grad(Stream& stream, const CsrView& x, int64_t out_dim, const float* dy, float* d_weight);

}  // namespace gnn::cuda
