#pragma once
#include "gnn/device/stream.h"
#include "gnn/sparse/csr_matmul.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/sparse/csr_matmul.h.
void csr_matmul(Stream& stream, const CsrMatmul& op);
// By atomics: what several rows add to one weight comes in any order.
void csr_matmul_grad(Stream& stream, const CsrView& x, int64_t out_dim, const float* dy, float* d_weight);

}  // namespace gnn::cuda
