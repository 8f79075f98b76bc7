#pragma once
#include "gnn/features/feature_view.h"
#include "gnn/sparse/block_view.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn {

// The weighted sum over a block's edges of CSR rows x [num_src, dim], as CSR rows [num_dst, dim] again: columns ascend,
// every column that one of the summed rows has is stored. Throws DATASET_TOO_LARGE at 2^31 entries.
CsrRows sum_csr_rows(const BlockView& block, const WeightedSum& sum, const CsrView& x);

}  // namespace gnn
