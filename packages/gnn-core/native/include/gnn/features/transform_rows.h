#pragma once
// Changes gathered feature rows in place. `indptr` and `indices` are null for dense rows [rows, dim].
#include <cstdint>

namespace gnn {

struct RowsView {
  int64_t rows;
  int64_t dim;
  const int32_t* indptr;   // [rows + 1]
  const int32_t* indices;
  float* values;
};

// x_v / sum |x_v|; a row of zeros stays one. The sum is taken in float64, in eight fixed lanes.
void row_normalize(const RowsView& rows);

// (x - mean) / scale of dense rows, x / scale of the stored values of CSR rows; float32 [dim] each, computed in
// float64.
void standardize(const RowsView& rows, const float* mean, const float* scale);

}  // namespace gnn
