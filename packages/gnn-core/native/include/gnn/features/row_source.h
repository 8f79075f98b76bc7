#pragma once
// Input rows of a kernel: rows that lie one after the other, or rows of a feature matrix read where they lie, so that a
// mini-batch's features are never copied as a whole.
#include <cstdint>
#include <vector>

#include "gnn/features/feature_view.h"
#include "gnn/nn/dropout.h"

namespace gnn {

// Where each row lies, for inner loops.
struct RowPlaces {
  const float* base;
  const int32_t* ids;          // null: row i is the i-th from base
  const float* const* rows;    // null unless the rows lie in several segments
  int64_t dim;

  const float* row(int64_t i) const {
    if (rows != nullptr) return rows[i];
    return base + (ids == nullptr ? i : ids[i]) * dim;
  }
};

class RowSource {
 public:
  // x [rows, dim]
  RowSource(const float* x, int64_t dim) : dim_(dim), base_(x) {}

  // Row i is row ids[i] of dense float32 features; the ids are borrowed, and have been checked.
  RowSource(const FeatureView& features, const int32_t* ids, int64_t count);

  // Drops elements of every row that `load` copies, keyed by the row's id.
  void drop(const DropoutKey& key, uint32_t threshold) { key_ = key, threshold_ = threshold; }

  int64_t dim() const { return dim_; }
  bool drops() const { return threshold_ > 0; }
  // The rows themselves when they lie one after the other and nothing is dropped, else null.
  const float* contiguous() const { return ids_ == nullptr && threshold_ == 0 ? base_ : nullptr; }

  // Where the rows lie, undropped.
  RowPlaces places() const { return {base_, ids_, rows_.empty() ? nullptr : rows_.data(), dim_}; }

  // Rows [begin, end) as they are or copied (dropped too) into `memory` [end - begin, dim].
  const float* load(int64_t begin, int64_t end, float* memory) const;

 private:
  int64_t dim_;
  const float* base_ = nullptr;
  const int32_t* ids_ = nullptr;
  Recycled<const float*> rows_;  // of a matrix in several segments
  DropoutKey key_{};
  uint32_t threshold_ = 0;
};

}  // namespace gnn
