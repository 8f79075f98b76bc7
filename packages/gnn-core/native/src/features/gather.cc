#include <cstring>
#include <string>

#include "gnn/error.h"
#include "gnn/features/feature_view.h"

namespace gnn {
namespace {

constexpr size_t kAhead = 4;  // rows whose first line is prefetched

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

}  // namespace

std::vector<float> gather_dense(const FeatureView& features, const std::vector<int32_t>& ids) {
  check_ids(features, ids);
  const auto dim = static_cast<size_t>(features.dim);
  std::vector<float> out;
  out.reserve(ids.size() * dim);  // appended to, never zero-filled first
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) __builtin_prefetch(dense_row(features, ids[i + kAhead]));
    const float* row = dense_row(features, ids[i]);
    out.insert(out.end(), row, row + dim);
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
