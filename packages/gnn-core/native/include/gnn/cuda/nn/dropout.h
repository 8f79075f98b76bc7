#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/dropout.h"

namespace gnn::cuda {

using device::Stream;

// The CPU's bits: gnn/nn/dropout.h says which element looks at which random bits.
void dropout_rows(Stream& stream, const DropoutRows& op);

// Drops among the non-zeros of CSR rows; column = feature column. out [nnz] may be x.values.
void dropout_csr(Stream& stream, const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold,
                 float* out);

}  // namespace gnn::cuda
