#include <cstring>
#include <string>

#include "gnn/error.h"
#include "gnn/features/feature_view.h"

namespace gnn {
namespace {

constexpr size_t kAhead = 4;          // rows that are prefetched
constexpr size_t kPrefetched = 512;   // floats of each; the hardware follows longer rows by itself
constexpr size_t kLine = 16;          // floats of a cache line

void check_ids(const FeatureView& features, const std::vector<int32_t>& ids) {
  for (const int32_t id : ids) {
    if (id >= 0 && id < features.num_rows) continue;
    throw Error("SHAPE_MISMATCH", "Row " + std::to_string(id) + " is not among the " +
                                      std::to_string(features.num_rows) + " feature rows.");
  }
}

template <typename Segment>
const Segment& segment_of(const std::vector<Segment>& segments, int32_t row) {
  size_t s = segments.size() - 1;
  while (segments[s].first_row > row) --s;
  return segments[s];
}

const float* dense_row(const FeatureView& features, int32_t row) {
  const DenseSegment& segment = segment_of(features.dense, row);
  return segment.values + (row - segment.first_row) * features.dim;
}

void prefetch_row(const float* row, size_t dim) {
  const size_t count = dim < kPrefetched ? dim : kPrefetched;
  for (size_t d = 0; d < count; d += kLine) __builtin_prefetch(row + d);
}

}  // namespace

Recycled<float> gather_dense(const FeatureView& features, const std::vector<int32_t>& ids) {
  check_ids(features, ids);
  const auto dim = static_cast<size_t>(features.dim);
  Recycled<float> out(ids.size() * dim);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) prefetch_row(dense_row(features, ids[i + kAhead]), dim);
    std::memcpy(out.data() + i * dim, dense_row(features, ids[i]), dim * sizeof(float));
  }
  return out;
}

CsrRows gather_csr(const FeatureView& features, const std::vector<int32_t>& ids) {
  check_ids(features, ids);
  CsrRows rows;
  rows.indptr.reserve(ids.size() + 1);
  rows.indptr.push_back(0);
  for (const int32_t id : ids) {
    const CsrSegment& segment = segment_of(features.csr, id);
    const int64_t begin = segment.indptr[id - segment.first_row], end = segment.indptr[id - segment.first_row + 1];
    rows.indices.insert(rows.indices.end(), segment.indices + begin, segment.indices + end);
    rows.values.insert(rows.values.end(), segment.values + begin, segment.values + end);
    if (rows.indices.size() > static_cast<size_t>(INT32_MAX)) {
      throw Error("DATASET_TOO_LARGE",
                  "The feature rows of one batch hold over 2^31 - 1 values; lower the batch size.");
    }
    rows.indptr.push_back(static_cast<int32_t>(rows.indices.size()));
  }
  return rows;
}

}  // namespace gnn
