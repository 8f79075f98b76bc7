#include "gnn/features/transform_rows.h"

#include <cmath>

#include "gnn/runtime/isa.h"

namespace gnn {
namespace {

constexpr int kLanes = 8;

GNN_MULTIVERSION double sum_of_sizes(const float* values, int64_t count) {
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += std::fabs(static_cast<double>(values[i + lane]));
  }
  for (int lane = 0; i < count; ++i, ++lane) lanes[lane] += std::fabs(static_cast<double>(values[i]));
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

GNN_MULTIVERSION void divide(float* values, int64_t count, double divisor) {
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<float>(values[i] / divisor);
}

GNN_MULTIVERSION void standardize_row(float* __restrict values, int64_t dim, const float* __restrict mean,
                                      const float* __restrict scale) {
  for (int64_t d = 0; d < dim; ++d) {
    values[d] = static_cast<float>((static_cast<double>(values[d]) - mean[d]) / scale[d]);
  }
}

}  // namespace

void row_normalize(const RowsView& rows) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    const int64_t begin = rows.indptr ? rows.indptr[row] : row * rows.dim;
    const int64_t count = rows.indptr ? rows.indptr[row + 1] - begin : rows.dim;
    const double sum = sum_of_sizes(rows.values + begin, count);
    if (sum > 0) divide(rows.values + begin, count, sum);
  }
}

void standardize(const RowsView& rows, const float* mean, const float* scale) {
  if (rows.indptr != nullptr) {
    for (int32_t i = 0; i < rows.indptr[rows.rows]; ++i) {
      rows.values[i] = static_cast<float>(static_cast<double>(rows.values[i]) / scale[rows.indices[i]]);
    }
    return;
  }
  for (int64_t row = 0; row < rows.rows; ++row) standardize_row(rows.values + row * rows.dim, rows.dim, mean, scale);
}

}  // namespace gnn
