#include "gnn/features/row_source.h"

#include <cstring>

namespace gnn {

RowSource::RowSource(const FeatureView& features, const int32_t* ids, int64_t count) : dim_(features.dim), ids_(ids) {
  if (features.dense.size() == 1) {
    base_ = static_cast<const float*>(features.dense[0].values);
    return;
  }
  rows_.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    size_t s = features.dense.size() - 1;
    while (features.dense[s].first_row > ids[i]) --s;
    const auto* segment = static_cast<const float*>(features.dense[s].values);
    rows_[static_cast<size_t>(i)] = segment + (ids[i] - features.dense[s].first_row) * dim_;
  }
}

const float* RowSource::load(int64_t begin, int64_t end, float* memory) const {
  if (contiguous() != nullptr) return base_ + begin * dim_;
  constexpr int64_t kAhead = 4, kLine = 16;
  const auto bytes = static_cast<size_t>(dim_) * sizeof(float);
  const RowPlaces from = places();
  for (int64_t i = begin; i < end; ++i) {
    if (i + kAhead < end) {
      const float* next = from.row(i + kAhead);
      for (int64_t d = 0; d < dim_; d += kLine) __builtin_prefetch(next + d);
    }
    std::memcpy(memory + (i - begin) * dim_, from.row(i), bytes);
  }
  if (threshold_ == 0) return memory;
  dropout_rows({.rows = end - begin,
                .dim = dim_,
                .x = memory,
                .row_ids = ids_ + begin,
                .key = key_,
                .threshold = threshold_,
                .out = memory});
  return memory;
}

}  // namespace gnn
