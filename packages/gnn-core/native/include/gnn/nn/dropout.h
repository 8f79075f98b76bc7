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

// What elements that stay are multiplied with, so that the expected value stays, too.
inline float dropout_scale(uint32_t threshold) { return 65536.0f / static_cast<float>(65536u - threshold); }

// Element (row, column) is dropped when its 16 random bits are below `threshold`; what stays is scaled by
// 65536 / (65536 - threshold). Columns go in groups of 128 = 8 half-words x 16 lanes, so that a vector of 16 lanes
// computes a group at once: with group = column / 128, half = column % 128 / 16, lane = column % 16 the bits are
// half-word `half` of Philox(counter = (row id, 16 group + lane, epoch, step), key = (seed, layer)).
struct DropoutRows {
  int64_t rows;
  int64_t dim;
  const float* x;          // [rows, dim]
  const int32_t* row_ids;  // [rows]
  DropoutKey key;
  uint32_t threshold;      // below 65536
  float* out;              // [rows, dim]; may be x
};
void dropout_rows(const DropoutRows& op);

// Drops among the non-zeros of CSR rows; column = feature column. out [nnz] may be x.values.
void dropout_csr(const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold, float* out);

}  // namespace gnn
