#include "gnn/serving/exact_score.h"

#include <cmath>

namespace gnn {

// Not compiled for several instruction sets: one of them might round a product and a sum at once. A product of two
// floats is exact in double precision either way, a square of a difference is not.
double squared_norm(const float* x, int64_t dim) {
  double sum = 0;
  for (int64_t d = 0; d < dim; ++d) sum += double{x[d]} * x[d];
  return sum;
}

namespace {

double product(const float* row, const float* query, int64_t dim) {
  double sum = 0;
  for (int64_t d = 0; d < dim; ++d) sum += double{row[d]} * query[d];
  return sum;
}

double squared_distance(const float* row, const float* query, int64_t dim) {
  double sum = 0;
  for (int64_t d = 0; d < dim; ++d) {
    const double difference = double{row[d]} - query[d];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

double exact_score(Metric metric, const float* row, const float* query, double norm, int64_t dim) {
  if (metric == Metric::dot) return product(row, query, dim);
  if (metric == Metric::l2) return -squared_distance(row, query, dim);
  const double scale = std::sqrt(squared_norm(row, dim)) * norm;
  // NaN stays what it is.
  return scale == 0 ? 0 : product(row, query, dim) / scale;
}

}  // namespace gnn
