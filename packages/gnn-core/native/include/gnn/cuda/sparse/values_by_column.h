#pragma once
#include <cstdint>

#include "gnn/device/array.h"
#include "gnn/device/stream.h"
#include "gnn/sparse/block_view.h"

namespace gnn::cuda {

using device::Stream;

// The values of a sparse matrix by column, each column's in the order of the rows.
class ValuesByColumn {
 public:
  // The arrays of `x` live as long as this.
  ValuesByColumn(Stream& stream, const CsrView& x);

  // out [x.dim, dim] = transpose(X) y by the first `rows` rows of X and y: each sum row by row, as the CPU's; those of
  // a column with many values in eight parts, one after the other.
  void add_up(Stream& stream, int64_t rows, int64_t dim, const float* y, float* out) const;

 private:
  CsrView x_;
  device::Array<int32_t> indptr_;   // [dim + 1]
  device::Array<int32_t> entries_;  // [num_values] where the value lies
  device::Array<int32_t> rows_;     // [num_values]
};

}  // namespace gnn::cuda
