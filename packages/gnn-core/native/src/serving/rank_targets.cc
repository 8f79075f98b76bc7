#include "gnn/serving/rank_targets.h"

#include <algorithm>

#include "gnn/dense/sgemm.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

// Candidates whose scores with a block stay in the second-level cache
constexpr int64_t kTile = 512;
constexpr int64_t kQueriesPerChunk = 8;

struct Places {
  int64_t below = 0;
  int64_t level = 0;
};

GNN_MULTIVERSION void count_tile(const float* scores, int64_t count, float own, int32_t* below, int32_t* level) {
  int32_t num_below = 0, num_level = 0;
  for (int64_t i = 0; i < count; ++i) {
    num_below += scores[i] < own ? 1 : 0;
    num_level += scores[i] == own ? 1 : 0;
  }
  *below = num_below;
  *level = num_level;
}

class Block {
 public:
  Block(const RankTargets& op, float* scores, int64_t first, int64_t rows)
      : op_(op), scores_(scores), first_(first), rows_(rows) {}

  void score(int64_t tile) const {
    sgemm_serial({.trans_b = true,
                  .m = rows_,
                  .n = width(tile),
                  .k = op_.dim,
                  .a = op_.queries + first_ * op_.dim,
                  .b = op_.candidates + tile * kTile * op_.dim,
                  .c = scores_ + tile * kTile * rows_});
  }

  void rank(int64_t row) const {
    const int64_t query = first_ + row;
    for (int32_t i = op_.starts[query]; i < op_.starts[query + 1]; ++i) {
      const int32_t target = op_.targets[i];
      const float own = at(row, target);
      Places places = among_all(row, own);
      int64_t num_others = op_.num_candidates - 1;
      places.level -= own == own ? 1 : 0;  // the target itself
      for (int32_t j = op_.left_starts[query]; j < op_.left_starts[query + 1]; ++j) {
        if (op_.left_out[j] == target) continue;
        const float score = at(row, op_.left_out[j]);
        --num_others;
        places.below -= score < own ? 1 : 0;
        places.level -= score == own ? 1 : 0;
      }
      const auto above = static_cast<double>(num_others - places.below - places.level);
      op_.ranks[i] = static_cast<float>(1 + above + static_cast<double>(places.level) / 2);
    }
  }

 private:
  int64_t width(int64_t tile) const { return std::min(kTile, op_.num_candidates - tile * kTile); }

  const float* row_of(int64_t row, int64_t tile) const { return scores_ + tile * kTile * rows_ + row * width(tile); }

  float at(int64_t row, int32_t candidate) const {
    return row_of(row, candidate / kTile)[candidate % kTile];
  }

  Places among_all(int64_t row, float own) const {
    Places places;
    for (int64_t tile = 0; tile * kTile < op_.num_candidates; ++tile) {
      int32_t below, level;
      count_tile(row_of(row, tile), width(tile), own, &below, &level);
      places.below += below;
      places.level += level;
    }
    return places;
  }

  const RankTargets& op_;
  float* const scores_;  // tiles [rows, width], one after the other
  const int64_t first_, rows_;
};

}  // namespace

void rank_targets(const RankTargets& op) {
  const int64_t most = std::max<int64_t>(1, std::min(op.rows_at_once, op.num_queries));
  Scratch scores(most * op.num_candidates);
  for (int64_t first = 0; first < op.num_queries; first += most) {
    const int64_t rows = std::min(most, op.num_queries - first);
    const Block block(op, scores.data(), first, rows);
    parallel_for((op.num_candidates + kTile - 1) / kTile, 1, [&](int64_t tile, int64_t) { block.score(tile); });
    parallel_for(rows, kQueriesPerChunk, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) block.rank(row);
    });
  }
}

}  // namespace gnn
