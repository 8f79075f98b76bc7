#include "gnn/serving/block_scores.h"

#include <algorithm>
#include <cstring>

#include "gnn/dense/sgemm.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/lanes.h"

namespace gnn {
namespace {

// More queries than this are multiplied as a matrix, whose tiles have 24 rows.
constexpr int64_t kFewQueries = 8;
// Vectors of scores that are held against the limit at once
constexpr int kVectors = 4;

template <int kQueries>
GNN_INLINE void score_row(const float* const* queries, const float* row, int64_t dim, float* const* scores,
                          int64_t at) {
  Floats sums[kQueries];
  for (int q = 0; q < kQueries; ++q) sums[q] = Floats{};
  int64_t d = 0;
  for (; d + kLanes <= dim; d += kLanes) {
    const Floats values = load_lanes(row + d);
    for (int q = 0; q < kQueries; ++q) sums[q] += values * load_lanes(queries[q] + d);
  }
  float tails[kQueries] = {};
  for (; d < dim; ++d) {
    for (int q = 0; q < kQueries; ++q) tails[q] += row[d] * queries[q][d];
  }
  for (int q = 0; q < kQueries; ++q) scores[q][at] = sum_lanes(sums[q]) + tails[q];
}

template <int kQueries>
GNN_INLINE void score_rows(const float* queries, const float* rows, int64_t num_rows, int64_t dim, float* scores) {
  const float* each[kQueries];
  float* to[kQueries];
  for (int q = 0; q < kQueries; ++q) {
    each[q] = queries + q * dim;
    to[q] = scores + q * num_rows;
  }
  for (int64_t row = 0; row < num_rows; ++row) score_row<kQueries>(each, rows + row * dim, dim, to, row);
}

GNN_MULTIVERSION void few_scores(const float* queries, int64_t num_queries, const float* rows, int64_t num_rows,
                                 int64_t dim, float* scores) {
  int64_t q = 0;
  for (; q + 4 <= num_queries; q += 4) score_rows<4>(queries + q * dim, rows, num_rows, dim, scores + q * num_rows);
  for (; q + 2 <= num_queries; q += 2) score_rows<2>(queries + q * dim, rows, num_rows, dim, scores + q * num_rows);
  if (q < num_queries) score_rows<1>(queries + q * dim, rows, num_rows, dim, scores + q * num_rows);
}

}  // namespace

void block_scores(const float* queries, int64_t num_queries, const float* rows, int64_t num_rows, int64_t dim,
                  float* scores) {
  if (num_queries <= kFewQueries) return few_scores(queries, num_queries, rows, num_rows, dim, scores);
  sgemm_serial({.trans_b = true, .m = num_queries, .n = num_rows, .k = dim, .a = queries, .b = rows, .c = scores});
}

namespace {

GNN_INLINE float limit_at(const ScoreLimit& limit, float norm) { return (limit.c * norm + limit.b) * norm + limit.a; }

// Whether all of four vectors of scores are below. Told by signs: the compiler takes comparisons apart lane by lane.
GNN_INLINE bool are_below(const float* scores, const float* norms, const ScoreLimit& limit) {
  Ints signs = ~Ints{};
  for (int v = 0; v < kVectors; ++v) {
    const Floats norm = load_lanes(norms + v * kLanes);
    signs &= (Ints)(load_lanes(scores + v * kLanes) - ((limit.c * norm + limit.b) * norm + limit.a));
  }
  int64_t words[kLanes / 2];
  std::memcpy(words, &signs, sizeof words);
  int64_t all = -1;
  for (int word = 0; word < kLanes / 2; ++word) all &= words[word];
  constexpr auto kSigns = static_cast<int64_t>(0x8000000080000000);
  return (all & kSigns) == kSigns;
}

}  // namespace

GNN_MULTIVERSION int64_t rows_above(const float* scores, const float* norms, int64_t count, const ScoreLimit& limit,
                                    int32_t* above) {
  int64_t found = 0;
  for (int64_t begin = 0; begin < count; begin += kVectors * kLanes) {
    const int64_t end = std::min<int64_t>(begin + kVectors * kLanes, count);
    // Nearly all rows are below, so many are asked about at once.
    if (end - begin == kVectors * kLanes && are_below(scores + begin, norms + begin, limit)) continue;
    for (int64_t row = begin; row < end; ++row) {
      if (scores[row] >= limit_at(limit, norms[row])) above[found++] = static_cast<int32_t>(row);
    }
  }
  return found;
}

}  // namespace gnn
