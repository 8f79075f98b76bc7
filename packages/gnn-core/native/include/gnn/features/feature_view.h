#pragma once
// Borrowed views of feature matrices in consecutive segments of rows, and copying rows out of them as float32.
#include <cstdint>
#include <vector>

#include "gnn/features/value_codes.h"
#include "gnn/runtime/memory.h"

namespace gnn {

struct DenseSegment {
  int64_t first_row;
  const void* values;  // [rows, dim] of the view's dtype
};

struct CsrSegment {
  int64_t first_row;
  const int64_t* indptr;  // [rows + 1]
  const int32_t* indices;
  const void* values;  // of the view's dtype
  int64_t num_rows;    // of which indptr has offsets
  int64_t num_values;  // that indices and values both have
};

struct FeatureView {
  int64_t num_rows;
  int64_t dim;
  FeatureDtype dtype;
  ColumnScale columns;  // null unless int8
  // One of the two is empty. Segments ascend by first_row.
  std::vector<DenseSegment> dense;
  std::vector<CsrSegment> csr;
};

struct CsrRows {
  Recycled<int32_t> indptr;
  Recycled<int32_t> indices;
  Recycled<float> values;
};

// Rows `ids` in their order. SHAPE_MISMATCH for an id outside the matrix, and for CSR rows that do not lie in it: their
// offsets and columns may come from a file that somebody else wrote.
Recycled<float> gather_dense(const FeatureView& features, const std::vector<int32_t>& ids);
CsrRows gather_csr(const FeatureView& features, const std::vector<int32_t>& ids);

}  // namespace gnn
