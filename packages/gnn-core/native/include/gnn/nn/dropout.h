#pragma once
#include <cstdint>

#include "gnn/sparse/block_view.h"

namespace gnn {

// What a dropout mask depends on, besides the row's id and the column.
struct DropoutKey {
  uint32_t seed;
  uint32_t layer;
  uint32_t epoch;
  uint32_t step;
};

// Element (row, column) is dropped when its 16 random bits, half-word column % 8 of
// Philox(counter = (row id, column / 8, epoch, step), key = (seed, layer)), are below `threshold`;
// what stays is scaled by 65536 / (65536 - threshold). out may be x. threshold < 65536.
void dropout_rows(int64_t rows, int64_t dim, const float* x, const int32_t* row_ids, const DropoutKey& key,
                  uint32_t threshold, float* out);

// The same on the non-zeros of CSR rows; column = feature column. out [nnz] may be x.values.
void dropout_csr(const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold, float* out);

}  // namespace gnn
