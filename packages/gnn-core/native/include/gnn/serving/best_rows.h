#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace gnn {

struct ScoredRow {
  double score;
  int32_t row;
};

inline bool is_nearer(const ScoredRow& a, const ScoredRow& b) {
  return a.score != b.score ? a.score > b.score : a.row < b.row;
}

// The k nearest of the rows that are offered; a heap with the farthest of them on top.
class BestRows {
 public:
  explicit BestRows(int32_t k) : k_(static_cast<size_t>(k)) {}

  void offer(const ScoredRow& found) {
    if (rows_.size() == k_) {
      if (!is_nearer(found, rows_.front())) return;
      std::pop_heap(rows_.begin(), rows_.end(), is_nearer);
      rows_.back() = found;
    } else {
      rows_.push_back(found);
    }
    std::push_heap(rows_.begin(), rows_.end(), is_nearer);
  }

  // A row with a lower score is none of the k; -infinity as long as there are fewer.
  double lowest() const {
    return rows_.size() == k_ ? rows_.front().score : -std::numeric_limits<double>::infinity();
  }

  const std::vector<ScoredRow>& rows() const { return rows_; }

 private:
  size_t k_;
  std::vector<ScoredRow> rows_;
};

}  // namespace gnn
