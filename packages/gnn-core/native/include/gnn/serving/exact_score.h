#pragma once
#include <cstdint>

#include "gnn/serving/nearest_rows.h"

namespace gnn {

// Sum of squares in double precision, term after term.
double squared_norm(const float* x, int64_t dim);

// The score of a row in double precision, term after term. `norm` is the square root of the query's squared norm.
double exact_score(Metric metric, const float* row, const float* query, double norm, int64_t dim);

}  // namespace gnn
