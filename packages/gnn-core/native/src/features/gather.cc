#include <algorithm>
#include <cstring>
#include <string>

#include "gnn/error.h"
#include "gnn/features/feature_view.h"

namespace gnn {
namespace {

constexpr size_t kAhead = 4;             // rows that are prefetched
constexpr int64_t kPrefetched = 2048;    // bytes of each; the hardware follows longer rows by itself
constexpr int64_t kLine = 64;            // bytes of a cache line

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

const char* dense_row(const FeatureView& features, int64_t row_bytes, int32_t row) {
  const DenseSegment& segment = segment_of(features.dense, row);
  return static_cast<const char*>(segment.values) + (row - segment.first_row) * row_bytes;
}

void prefetch_row(const char* row, int64_t bytes) {
  const int64_t count = bytes < kPrefetched ? bytes : kPrefetched;
  for (int64_t at = 0; at < count; at += kLine) __builtin_prefetch(row + at);
}

void decode_dense(const FeatureView& features, const char* row, float* out) {
  switch (features.dtype) {
    case FeatureDtype::float32:
      std::memcpy(out, row, static_cast<size_t>(features.dim) * sizeof(float));
      break;
    case FeatureDtype::float16:
      decode_half(reinterpret_cast<const uint16_t*>(row), features.dim, out);
      break;
    case FeatureDtype::int8:
      decode_int8(reinterpret_cast<const int8_t*>(row), features.dim, features.columns, out);
      break;
  }
}

void decode_entries(const FeatureView& features, const CsrSegment& segment, int64_t begin, int64_t count, float* out) {
  switch (features.dtype) {
    case FeatureDtype::float32:
      std::memcpy(out, static_cast<const float*>(segment.values) + begin, static_cast<size_t>(count) * sizeof(float));
      break;
    case FeatureDtype::float16:
      decode_half(static_cast<const uint16_t*>(segment.values) + begin, count, out);
      break;
    case FeatureDtype::int8:
      decode_int8_at(static_cast<const int8_t*>(segment.values) + begin, segment.indices + begin, count,
                     features.columns, out);
      break;
  }
}

// Length of row `id` of the matrix, and where it begins in its segment.
struct Entries {
  const CsrSegment& segment;
  int64_t begin;
  int64_t count;
};

[[noreturn]] void fail_row(int32_t id) {
  throw Error("SHAPE_MISMATCH", "The values of feature row " + std::to_string(id) +
                                    " do not lie in the matrix. Its file is damaged: fetch it again.");
}

// The scales of int8 values are found by their columns.
void check_columns(const FeatureView& features, int32_t id, const int32_t* columns, int64_t count) {
  uint32_t highest = 0;  // a negative column is higher than any
  for (int64_t i = 0; i < count; ++i) highest = std::max(highest, static_cast<uint32_t>(columns[i]));
  if (count > 0 && highest >= static_cast<uint64_t>(features.dim)) fail_row(id);
}

Entries entries_of(const FeatureView& features, int32_t id) {
  const CsrSegment& segment = segment_of(features.csr, id);
  const int64_t row = id - segment.first_row;
  const int64_t begin = row < segment.num_rows ? segment.indptr[row] : -1;
  const auto end = row < segment.num_rows ? static_cast<uint64_t>(segment.indptr[row + 1]) : 0;
  // Negative ones are large without a sign.
  if (static_cast<uint64_t>(begin) > end || end > static_cast<uint64_t>(segment.num_values)) fail_row(id);
  return {segment, begin, static_cast<int64_t>(end) - begin};
}

}  // namespace

Recycled<float> gather_dense(const FeatureView& features, const std::vector<int32_t>& ids) {
  check_ids(features, ids);
  const auto dim = static_cast<size_t>(features.dim);
  const int64_t row_bytes = features.dim * bytes_of(features.dtype);
  Recycled<float> out(ids.size() * dim);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) prefetch_row(dense_row(features, row_bytes, ids[i + kAhead]), row_bytes);
    decode_dense(features, dense_row(features, row_bytes, ids[i]), out.data() + i * dim);
  }
  return out;
}

CsrRows gather_csr(const FeatureView& features, const std::vector<int32_t>& ids) {
  check_ids(features, ids);
  CsrRows rows;
  rows.indptr.resize(ids.size() + 1);
  int64_t total = 0;
  rows.indptr[0] = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    total += entries_of(features, ids[i]).count;
    if (total > INT32_MAX) {
      throw Error("DATASET_TOO_LARGE",
                  "The feature rows of one batch hold over 2^31 - 1 values; lower the batch size.");
    }
    rows.indptr[i + 1] = static_cast<int32_t>(total);
  }
  rows.indices.resize(static_cast<size_t>(total));
  rows.values.resize(static_cast<size_t>(total));
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto [segment, begin, count] = entries_of(features, ids[i]);
    const int32_t at = rows.indptr[i];
    check_columns(features, ids[i], segment.indices + begin, count);
    std::memcpy(rows.indices.data() + at, segment.indices + begin, static_cast<size_t>(count) * sizeof(int32_t));
    decode_entries(features, segment, begin, count, rows.values.data() + at);
  }
  return rows;
}

}  // namespace gnn
