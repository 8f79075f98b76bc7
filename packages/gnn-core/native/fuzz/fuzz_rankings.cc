// Searches for the nearest rows, and ranks of listed targets: vectors come from models and requests, and hold anything
// that a float can be; sizes, offsets and ids are as the binding checks them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "fuzz.h"
#include "gnn/error.h"
#include "gnn/serving/exact_score.h"
#include "gnn/serving/nearest_rows.h"
#include "gnn/serving/rank_targets.h"

namespace {

using fuzz::expect;
using fuzz::Source;

float some_value(Source& source, bool finite) {
  if (source.chance(85)) return static_cast<float>(source.uniform() - 0.5);
  using Limits = std::numeric_limits<float>;
  const float value = source.one_of<float>({0.0f, -0.0f, 1.0f, 1e-45f, 3e38f, -3e38f, 1e20f, 0.5f});
  if (finite || source.chance(70)) return value;
  return source.one_of<float>({Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()});
}

std::vector<float> some_rows(Source& source, int64_t count, int64_t dim, bool finite) {
  std::vector<float> rows(count * dim);
  const bool repeats = source.chance(20);
  for (float& value : rows) value = repeats ? 0.25f : some_value(source, finite);
  return rows;
}

bool has_nan(const float* row, int64_t dim) {
  return std::any_of(row, row + dim, [](float value) { return std::isnan(value); });
}

// Scores of all rows that may answer a query, the best first; empty where one is no number, which has no place.
std::vector<double> all_scores(const gnn::NearestRows& search, int64_t q) {
  const float* query = search.queries + q * search.dim;
  const double norm = std::sqrt(gnn::squared_norm(query, search.dim));
  std::vector<double> scores;
  for (int64_t row = 0; row < search.num_rows; ++row) {
    const float* values = search.rows + row * search.dim;
    const bool asked = !search.wanted || search.wanted[q] == -1 || search.wanted[q] == search.group_of[row];
    if (!asked || has_nan(values, search.dim)) continue;
    scores.push_back(gnn::exact_score(search.metric, values, query, norm, search.dim));
    if (std::isnan(scores.back())) return {};
  }
  std::sort(scores.begin(), scores.end(), std::greater<>());
  return scores;
}

// What was found are rows without a NaN, and the scores are those of the best there are.
void check_found(const gnn::NearestRows& search, const gnn::FoundRows& found) {
  expect(found.counts.size() == static_cast<size_t>(search.num_queries), "a query has no answer");
  size_t at = 0;
  for (int64_t q = 0; q < search.num_queries; ++q) {
    const int32_t count = found.counts[q];
    const std::vector<double> best = all_scores(search, q);
    expect(count >= 0 && count <= search.k, "a query has more rows than asked for");
    const size_t most = std::min<size_t>(search.k, best.size());
    expect(best.empty() || static_cast<size_t>(count) == most, "a query has fewer rows than there are");
    for (int32_t i = 0; i < count; ++i, ++at) {
      const int32_t row = found.rows[at];
      expect(row >= 0 && row < search.num_rows, "a row was found that is none");
      expect(!has_nan(search.rows + row * search.dim, search.dim), "a row that holds no number was found");
      expect(best.empty() || found.scores[at] == best[i], "another row is nearer");
    }
  }
  expect(at == found.rows.size() && at == found.scores.size(), "rows were found for no query");
}

void find_nearest(Source& source) {
  const int64_t dim = source.between(1, 40), num_rows = source.one_of<int64_t>({0, 1, 3, 64, 700});
  const int64_t num_queries = source.one_of<int64_t>({0, 1, 2, 9});
  const std::vector<float> rows = some_rows(source, num_rows, dim, false);
  const std::vector<float> queries = some_rows(source, num_queries, dim, true);
  const std::vector<float> norms = gnn::row_norms(rows.data(), num_rows, dim);
  std::vector<int32_t> groups(num_rows), wanted(num_queries);
  for (int32_t& group : groups) group = static_cast<int32_t>(source.below(3));
  for (int32_t& group : wanted) group = static_cast<int32_t>(source.one_of<int64_t>({-1, 0, 1, 7, INT32_MAX}));
  const bool grouped = source.chance(30);
  const gnn::NearestRows search{.rows = rows.data(),
                                .norms = norms.data(),
                                .num_rows = num_rows,
                                .dim = dim,
                                .queries = queries.data(),
                                .num_queries = num_queries,
                                .metric = source.one_of({gnn::Metric::cosine, gnn::Metric::dot, gnn::Metric::l2}),
                                .k = static_cast<int32_t>(source.one_of<int64_t>({0, 1, 5, 100, 1 << 20})),
                                .group_of = grouped ? groups.data() : nullptr,
                                .wanted = grouped ? wanted.data() : nullptr};
  check_found(search, gnn::nearest_rows(search));
}

// Lists of candidates, one for each query.
struct Lists {
  std::vector<int32_t> starts{0};
  std::vector<int32_t> ids;
};

Lists some_lists(Source& source, int64_t num_queries, int64_t num_candidates, bool repeat) {
  Lists lists;
  for (int64_t q = 0; q < num_queries; ++q) {
    const auto first = static_cast<int64_t>(lists.ids.size());
    for (int64_t i = num_candidates == 0 ? 0 : source.between(0, 6); i > 0; --i) {
      lists.ids.push_back(static_cast<int32_t>(source.below(num_candidates)));
    }
    std::sort(lists.ids.begin() + first, lists.ids.end());
    if (!repeat) lists.ids.erase(std::unique(lists.ids.begin() + first, lists.ids.end()), lists.ids.end());
    lists.starts.push_back(static_cast<int32_t>(lists.ids.size()));
  }
  return lists;
}

void rank(Source& source) {
  const int64_t dim = source.between(0, 20), num_queries = source.between(0, 12);
  const int64_t num_candidates = source.one_of<int64_t>({0, 1, 5, 300});
  const std::vector<float> queries = some_rows(source, num_queries, dim, false);
  const std::vector<float> candidates = some_rows(source, num_candidates, dim, false);
  const Lists targets = some_lists(source, num_queries, num_candidates, true);
  const Lists left = some_lists(source, num_queries, num_candidates, false);
  std::vector<float> ranks(targets.ids.size());
  gnn::rank_targets({.num_queries = num_queries,
                     .num_candidates = num_candidates,
                     .dim = dim,
                     .rows_at_once = source.one_of<int64_t>({1, 3, 1000}),
                     .queries = queries.data(),
                     .candidates = candidates.data(),
                     .starts = targets.starts.data(),
                     .targets = targets.ids.data(),
                     .left_starts = left.starts.data(),
                     .left_out = left.ids.data(),
                     .ranks = ranks.data()});
  const auto last = static_cast<float>(num_candidates);
  for (const float place : ranks) expect(place >= 1 && place <= last, "a target's rank is none");
}

void one(Source& source) {
  try {
    if (source.chance(60)) return find_nearest(source);
    rank(source);
  } catch (const gnn::Error&) {
    // Refused, as it may be
  }
}

}  // namespace

int main(int argc, char** argv) { return fuzz::run(argc, argv, one); }
