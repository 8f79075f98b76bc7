#include "gnn/serving/nearest_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/serving/best_rows.h"
#include "gnn/serving/block_scores.h"
#include "gnn/serving/exact_score.h"

namespace gnn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rows per chunk of the pool, and per block of scores, which stays in the second-level cache with its rows.
constexpr int64_t kChunkRows = 16384;
constexpr int64_t kRowsPerBlock = 512;
// Beyond it a product could leave the range of single precision, and says nothing.
constexpr double kLargestProduct = 1e37;

// What is known of a query while the rows are gone through.
struct Query {
  const float* values;
  double norm;
  bool is_bounded;  // whether products in single precision tell anything
  // The k-th best score that some chunk has found: a row below it is none of the k.
  std::atomic<double> lowest{-kInfinity};

  void raise(double score) {
    double known = lowest.load(std::memory_order_relaxed);
    while (score > known && !lowest.compare_exchange_weak(known, score, std::memory_order_relaxed)) {
    }
  }
};

// Rows whose product in single precision is below it have a score below `lowest`, which is finite. A sum of dim
// products in any order is off by no more than dim 2^-24 |x| |q|; the bound is four times that, for what else is
// rounded here.
ScoreLimit limit_for(Metric metric, const Query& query, double lowest, int64_t dim) {
  const double error = static_cast<double>(dim + 32) * 0x1p-22 * query.norm;
  constexpr double kTiny = 1e-35;
  if (metric == Metric::dot) return {static_cast<float>(lowest - kTiny), static_cast<float>(-error), 0};
  if (metric == Metric::cosine) return {-kTiny, static_cast<float>(lowest * query.norm - error), 0};
  const double squared = query.norm * query.norm;
  const double slack = (std::fabs(lowest) + squared) * 0x1p-20 + kTiny;
  return {static_cast<float>((lowest + squared) / 2 - slack), static_cast<float>(-error),
          static_cast<float>(0.5 * (1 - 0x1p-18))};
}

class Search {
 public:
  explicit Search(const NearestRows& search) : search_(search), queries_(new Query[search.num_queries]) {
    float largest = 0;
    for (int64_t row = 0; row < search.num_rows; ++row) largest = std::max(largest, search.norms[row]);
    for (int64_t q = 0; q < search.num_queries; ++q) {
      const float* values = search.queries + q * search.dim;
      const double norm = std::sqrt(squared_norm(values, search.dim));
      queries_[q].values = values;
      queries_[q].norm = norm;
      const double reach = std::max(double{largest}, norm);
      queries_[q].is_bounded = reach * reach < kLargestProduct;
    }
    found_.assign(search.num_queries, BestRows(search.k));
  }

  void chunk(int64_t begin, int64_t end) {
    const auto& [rows, norms, num_rows, dim, queries, num_queries, metric, k, group_of, wanted] = search_;
    std::vector<BestRows> best(num_queries, BestRows(k));
    Scratch scores(num_queries * kRowsPerBlock);
    std::vector<int32_t> above(kRowsPerBlock);
    for (int64_t first = begin; first < end; first += kRowsPerBlock) {
      const int64_t count = std::min(kRowsPerBlock, end - first);
      block_scores(queries, num_queries, rows + first * dim, count, dim, scores.data());
      for (int64_t q = 0; q < num_queries; ++q) {
        take_block(q, first, count, scores.data() + q * count, above.data(), best[q]);
      }
    }
    std::lock_guard<std::mutex> lock(merging_);
    for (int64_t q = 0; q < num_queries; ++q) {
      for (const ScoredRow& row : best[q].rows()) found_[q].offer(row);
      queries_[q].raise(found_[q].lowest());
    }
  }

  FoundRows result() const {
    FoundRows result;
    for (const BestRows& best : found_) {
      std::vector<ScoredRow> rows = best.rows();
      std::sort(rows.begin(), rows.end(), is_nearer);
      result.counts.push_back(static_cast<int32_t>(rows.size()));
      for (const auto& [score, row] : rows) {
        result.rows.push_back(row);
        result.scores.push_back(score);
      }
    }
    return result;
  }

 private:
  // Rows that single precision does not rule out are scored in double precision.
  void take_block(int64_t q, int64_t first, int64_t count, const float* scores, int32_t* above, BestRows& best) {
    Query& query = queries_[q];
    const int32_t group = search_.wanted == nullptr ? -1 : search_.wanted[q];
    double lowest = std::max(best.lowest(), query.lowest.load(std::memory_order_relaxed));
    const bool is_any_possible = !query.is_bounded || std::isinf(lowest);
    const int64_t num_above =
        is_any_possible ? count
                        : rows_above(scores, search_.norms + first, count,
                                     limit_for(search_.metric, query, lowest, search_.dim), above);
    for (int64_t i = 0; i < num_above; ++i) {
      const int64_t row = first + (is_any_possible ? i : above[i]);
      if (group >= 0 && search_.group_of[row] != group) continue;
      const double score =
          exact_score(search_.metric, search_.rows + row * search_.dim, query.values, query.norm, search_.dim);
      if (std::isnan(score) || score < lowest) continue;
      best.offer({score, static_cast<int32_t>(row)});
      lowest = std::max(lowest, best.lowest());
    }
    query.raise(best.lowest());
  }

  const NearestRows& search_;
  std::unique_ptr<Query[]> queries_;
  std::mutex merging_;
  std::vector<BestRows> found_;
};

}  // namespace

FoundRows nearest_rows(const NearestRows& request) {
  Search search(request);
  if (request.num_queries > 0 && request.k > 0) {
    parallel_for(request.num_rows, kChunkRows, [&](int64_t begin, int64_t end) { search.chunk(begin, end); });
  }
  return search.result();
}

std::vector<float> row_norms(const float* rows, int64_t num_rows, int64_t dim) {
  std::vector<float> norms(num_rows);
  parallel_for(num_rows, kChunkRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      norms[row] = static_cast<float>(std::sqrt(squared_norm(rows + row * dim, dim)));
    }
  });
  return norms;
}

}  // namespace gnn
