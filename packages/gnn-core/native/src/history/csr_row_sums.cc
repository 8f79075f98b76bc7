#include "gnn/history/csr_row_sums.h"

#include <algorithm>
#include <vector>

#include "gnn/error.h"

namespace gnn {
namespace {

// A dense row and which of its columns are in use.
class SparseRow {
 public:
  explicit SparseRow(int64_t dim) : values_(dim, 0.0f), used_(dim, 0) {}

  void add(const CsrView& x, int64_t row, float weight) {
    for (int32_t i = x.indptr[row]; i < x.indptr[row + 1]; ++i) {
      const int32_t column = x.indices[i];
      if (used_[column] == 0) {
        used_[column] = 1;
        columns_.push_back(column);
      }
      values_[column] += weight * x.values[i];
    }
  }

  // Appends the row to `out` and empties it.
  void move_to(CsrRows& out) {
    std::sort(columns_.begin(), columns_.end());
    for (const int32_t column : columns_) {
      out.indices.push_back(column);
      out.values.push_back(values_[column]);
      values_[column] = 0.0f;
      used_[column] = 0;
    }
    columns_.clear();
    if (out.indices.size() > static_cast<size_t>(INT32_MAX)) {
      throw Error("DATASET_TOO_LARGE", "The sums of one piece of the graph hold over 2^31 - 1 feature values.");
    }
    out.indptr.push_back(static_cast<int32_t>(out.indices.size()));
  }

 private:
  std::vector<float> values_;
  std::vector<uint8_t> used_;
  std::vector<int32_t> columns_;
};

}  // namespace

CsrRows sum_csr_rows(const BlockView& block, const WeightedSum& sum, const CsrView& x) {
  SparseRow row(x.dim);
  CsrRows out;
  out.indptr.push_back(0);
  for (int64_t dst = 0; dst < block.num_dst; ++dst) {
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      row.add(x, block.indices[e], sum.edge_weights != nullptr ? sum.edge_weights[e] : 1.0f);
    }
    if (sum.self_weights != nullptr) row.add(x, dst, sum.self_weights[dst]);
    row.move_to(out);
  }
  return out;
}

}  // namespace gnn
