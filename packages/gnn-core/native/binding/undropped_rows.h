#pragma once
#include "arguments.h"

namespace hopwise {

// Sums over edges read a row once per edge, so dropped rows have to be written down first.
inline gnn::RowSource undropped_rows(Arguments& arguments, int64_t count, int64_t dim) {
  gnn::RowSource x = arguments.rows("x", count, dim);
  if (x.drops()) arguments.fail("x drops elements; sums over edges take rows as they are.");
  return x;
}

}  // namespace hopwise
