// Queries come in blocks, candidates in tiles that stay in the second-level cache with a block's scores of them. A
// block goes over its tiles: scores and their highest; exponentials, their sums and the gradient of the queries; the
// gradient of the candidates. Binary losses need no sum over a row, so one pass does all three.
#include "gnn/loss/k_vs_all.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gnn/dense/sgemm.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/lanes.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "score_rows.h"

namespace gnn {
namespace {

constexpr int64_t kMostScores = int64_t{1} << 23;
constexpr int64_t kMostTile = 512;
constexpr int64_t kFloatsPerTile = 1 << 16;
constexpr int64_t kFewestRows = 24;
// Partial sums of a block's gradient: no more than threads could share
constexpr int64_t kMostParts = 16;

GNN_MULTIVERSION void add_scaled(float scale, const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] += scale * from[i];
}

GNN_MULTIVERSION void set_scaled(float scale, const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = scale * from[i];
}

GNN_MULTIVERSION double dot(const float* a, const float* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += double{a[i]} * b[i];
  return sum;
}

class Pass {
 public:
  explicit Pass(const KvsAll& op)
      : op_(op),
        tile_(std::clamp<int64_t>(kFloatsPerTile / std::max<int64_t>(op.dim, 1) / kLanes * kLanes, 64, kMostTile)),
        num_tiles_((op.num_candidates + tile_ - 1) / tile_),
        per_part_((num_tiles_ + kMostParts - 1) / kMostParts),
        num_parts_((num_tiles_ + per_part_ - 1) / per_part_),
        rows_(rows_per_block(op)),
        scores_(rows_ * op.num_candidates),
        parts_(num_parts_ * rows_ * op.dim),
        scaled_(rows_ * op.dim),
        group_means_(op.num_groups * op.dim, 0.0f),
        query_sums_(op.num_groups * op.dim, 0.0f),
        group_sizes_(op.num_groups, 0),
        highest_(num_tiles_ * rows_),
        sums_(num_tiles_ * rows_),
        losses_(num_tiles_),
        own_scores_(op.own == nullptr ? 0 : rows_) {
    if (op.smoothing > 0) add_group_means();
  }

  double run() {
    double loss = 0;
    for (int64_t first = 0; first < op_.num_queries; first += rows_) {
      const int64_t rows = std::min(rows_, op_.num_queries - first);
      loss += op_.kind == KvsAllKind::softmax ? softmax_block(first, rows) : binary_block(first, rows);
      if (op_.own == nullptr) loss += take_targets(first, rows);
    }
    if (op_.smoothing > 0) take_smoothing();
    return loss;
  }

 private:
  static int64_t rows_per_block(const KvsAll& op) {
    const int64_t fitting = kMostScores / std::max<int64_t>(op.num_candidates, 1) / kFewestRows * kFewestRows;
    const int64_t rows = std::clamp(fitting, kFewestRows, kBlockRows);
    return std::min(rows, std::max<int64_t>(op.num_queries, 1));
  }

  int64_t width(int64_t tile) const { return std::min(tile_, op_.num_candidates - tile * tile_); }
  float* scores_of(int64_t tile) { return scores_.data() + tile * tile_ * rows_; }
  const float* candidates_of(int64_t tile) const { return op_.candidates + tile * tile_ * op_.dim; }
  int32_t group_of_query(int64_t query) const {
    return op_.group_of == nullptr ? 0 : op_.group_of[op_.targets[op_.starts[query]]];
  }

  void score(int64_t tile, int64_t first, int64_t rows) {
    float* const scores = scores_of(tile);
    const int64_t count = width(tile);
    sgemm_serial({.trans_b = true,
                  .m = rows,
                  .n = count,
                  .k = op_.dim,
                  .a = op_.queries + first * op_.dim,
                  .b = candidates_of(tile),
                  .c = scores});
    if (op_.own != nullptr) leave_out(tile, first, rows);
    if (op_.group_of == nullptr) return;
    const int32_t* const groups = op_.group_of + tile * tile_;
    for (int64_t row = 0; row < rows; ++row) {
      const int32_t group = group_of_query(first + row);
      for (int64_t i = 0; i < count; ++i) {
        if (groups[i] != group) scores[row * count + i] = kNoCandidate;
      }
    }
  }

  void leave_out(int64_t tile, int64_t first, int64_t rows) {
    const auto begin = static_cast<int32_t>(tile * tile_), end = static_cast<int32_t>(begin + width(tile));
    for (int64_t row = 0; row < rows; ++row) {
      const int32_t* const last = op_.left + op_.left_starts[first + row + 1];
      const int32_t* at = std::lower_bound(op_.left + op_.left_starts[first + row], last, begin);
      for (; at < last && *at < end; ++at) scores_of(tile)[row * (end - begin) + *at - begin] = kNoCandidate;
    }
  }

  // d_queries of a part += weights of the tile times its candidates
  void add_to_queries(int64_t tile, int64_t rows) {
    const int64_t part = tile / per_part_;
    sgemm_serial({.m = rows,
                  .n = op_.dim,
                  .k = width(tile),
                  .a = scores_of(tile),
                  .b = candidates_of(tile),
                  .beta = tile % per_part_ == 0 ? 0.0f : 1.0f,
                  .c = parts_.data() + part * rows_ * op_.dim});
  }

  void add_to_candidates(int64_t tile, int64_t first, int64_t rows, const float* queries) {
    sgemm_serial({.trans_a = true,
                  .m = width(tile),
                  .n = op_.dim,
                  .k = rows,
                  .a = scores_of(tile),
                  .b = queries,
                  .beta = first == 0 ? 0.0f : 1.0f,
                  .c = op_.d_candidates + tile * tile_ * op_.dim});
  }

  // What is above the sum over candidates is taken off by take_targets.
  double softmax_block(int64_t first, int64_t rows) {
    parallel_for(num_tiles_, 1, [&](int64_t tile, int64_t) {
      score(tile, first, rows);
      const int64_t count = width(tile);
      for (int64_t row = 0; row < rows; ++row) {
        highest_[tile * rows_ + row] = highest_of(scores_of(tile) + row * count, count);
      }
    });
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t tile = 1; tile < num_tiles_; ++tile) {
        highest_[row] = std::max(highest_[row], highest_[tile * rows_ + row]);
      }
      if (op_.own == nullptr) continue;
      const int64_t at = (first + row) * op_.dim;
      own_scores_[row] = static_cast<float>(dot(op_.queries + at, op_.own + at, op_.dim));
      highest_[row] = std::max(highest_[row], own_scores_[row]);
    }
    each_part([&](int64_t tile) {
      const int64_t count = width(tile);
      for (int64_t row = 0; row < rows; ++row) {
        sums_[tile * rows_ + row] = exponentials(scores_of(tile) + row * count, count, highest_[row]);
      }
      add_to_queries(tile, rows);
    });
    double loss = 0;
    for (int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (int64_t tile = 0; tile < num_tiles_; ++tile) sum += double{sums_[tile * rows_ + row]};
      const float of_own = op_.own == nullptr ? 0 : std::exp(own_scores_[row] - highest_[row]);
      sum += double{of_own};
      loss += double{highest_[row]} + std::log(sum);
      const auto scale = static_cast<float>(1 / sum);
      add_parts(first, row, scale);
      if (op_.own != nullptr) {
        loss -= double{own_scores_[row]};
        take_own(first + row, of_own * scale - 1);
      }
      set_scaled(scale, op_.queries + (first + row) * op_.dim, op_.dim, scaled_.data() + row * op_.dim);
    }
    parallel_for(num_tiles_, 1,
                 [&](int64_t tile, int64_t) { add_to_candidates(tile, first, rows, scaled_.data()); });
    return loss;
  }

  double binary_block(int64_t first, int64_t rows) {
    each_part([&](int64_t tile) {
      score(tile, first, rows);
      const int64_t count = width(tile);
      double loss = 0;
      for (int64_t row = 0; row < rows; ++row) loss += double{logistics(scores_of(tile) + row * count, count)};
      losses_[tile] = loss;
      add_to_queries(tile, rows);
      add_to_candidates(tile, first, rows, op_.queries + first * op_.dim);
    });
    for (int64_t row = 0; row < rows; ++row) add_parts(first, row, 1);
    double loss = 0;
    for (const double of_tile : losses_) loss += of_tile;
    return loss;
  }

  // Tiles of a part in their order, parts on any thread
  template <typename Body>
  void each_part(const Body& body) {
    parallel_for(num_parts_, 1, [&](int64_t part, int64_t) {
      const int64_t end = std::min((part + 1) * per_part_, num_tiles_);
      for (int64_t tile = part * per_part_; tile < end; ++tile) body(tile);
    });
  }

  void add_parts(int64_t first, int64_t row, float scale) {
    float* const to = op_.d_queries + (first + row) * op_.dim;
    set_scaled(scale, parts_.data() + row * op_.dim, op_.dim, to);
    for (int64_t part = 1; part < num_parts_; ++part) {
      add_scaled(scale, parts_.data() + (part * rows_ + row) * op_.dim, op_.dim, to);
    }
  }

  // Takes y off the gradient, and sum of y s off the loss; of smoothing all but the candidates' gradient.
  double take_targets(int64_t first, int64_t rows) {
    const int64_t dim = op_.dim;
    double loss = 0;
    for (int64_t query = first; query < first + rows; ++query) {
      const float* const from = op_.queries + query * dim;
      float* const to = op_.d_queries + query * dim;
      const int32_t begin = op_.starts[query], end = op_.starts[query + 1];
      const float share = (1 - op_.smoothing) / (op_.kind == KvsAllKind::softmax ? static_cast<float>(end - begin) : 1);
      for (int32_t i = begin; i < end; ++i) {
        const int64_t at = op_.targets[i] * dim;
        loss -= share * dot(from, op_.candidates + at, dim);
        add_scaled(-share, op_.candidates + at, dim, to);
        add_scaled(-share, from, dim, op_.d_candidates + at);
      }
      if (op_.smoothing == 0) continue;
      const int32_t group = group_of_query(query);
      const float* const mean = group_means_.data() + group * dim;
      loss -= op_.smoothing * dot(from, mean, dim);
      add_scaled(-op_.smoothing, mean, dim, to);
      add_scaled(1, from, dim, query_sums_.data() + group * dim);
    }
    return loss;
  }

  void take_own(int64_t query, float weight) {
    const int64_t at = query * op_.dim;
    add_scaled(weight, op_.own + at, op_.dim, op_.d_queries + at);
    set_scaled(weight, op_.queries + at, op_.dim, op_.d_own + at);
  }

  void add_group_means() {
    const int64_t dim = op_.dim;
    const auto group_at = [&](int64_t i) { return op_.group_of == nullptr ? 0 : op_.group_of[i]; };
    std::vector<double> sums(group_means_.size(), 0.0);
    for (int64_t i = 0; i < op_.num_candidates; ++i) {
      double* const to = sums.data() + group_at(i) * dim;
      ++group_sizes_[group_at(i)];
      for (int64_t d = 0; d < dim; ++d) to[d] += double{op_.candidates[i * dim + d]};
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      group_means_[i] = static_cast<float>(sums[i] / static_cast<double>(std::max<int64_t>(group_sizes_[i / dim], 1)));
    }
  }

  void take_smoothing() {
    const int64_t dim = op_.dim;
    parallel_for(op_.num_candidates, 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int32_t group = op_.group_of == nullptr ? 0 : op_.group_of[i];
        const float share = op_.smoothing / static_cast<float>(group_sizes_[group]);
        add_scaled(-share, query_sums_.data() + group * dim, dim, op_.d_candidates + i * dim);
      }
    });
  }

  const KvsAll& op_;
  const int64_t tile_, num_tiles_, per_part_, num_parts_, rows_;
  Scratch scores_;   // tiles [rows, width], one after the other
  Scratch parts_;    // [parts, rows, dim]
  Scratch scaled_;   // [rows, dim]: queries divided by the sum of their exponentials
  std::vector<float> group_means_, query_sums_;  // [groups, dim]
  std::vector<int64_t> group_sizes_;
  std::vector<float> highest_, sums_;            // [tiles, rows]
  std::vector<double> losses_;                   // [tiles]
  std::vector<float> own_scores_;                // [rows]
};

}  // namespace

double k_vs_all(const KvsAll& op) {
  if (op.num_queries > 0 && op.num_candidates > 0) return Pass(op).run();
  // A query's own row alone is certain.
  std::fill_n(op.d_candidates, op.num_candidates * op.dim, 0.0f);
  std::fill_n(op.d_queries, op.num_queries * op.dim, 0.0f);
  if (op.own != nullptr) std::fill_n(op.d_own, op.num_queries * op.dim, 0.0f);
  return 0;
}

}  // namespace gnn
