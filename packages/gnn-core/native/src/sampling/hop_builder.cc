#include "gnn/sampling/hop_builder.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace gnn {

void check_num_edges(int64_t num_edges) {
  if (num_edges <= INT32_MAX) return;
  throw Error("DATASET_TOO_LARGE", "A block has " + std::to_string(num_edges) +
                                       " edges; at most 2^31 - 1 fit. Lower the batch size or the fanouts.");
}

size_t expected_rows(size_t num_seeds, const std::vector<int32_t>& fanouts) {
  double rows = static_cast<double>(num_seeds);
  for (const int32_t fanout : fanouts) rows *= 1 + (fanout < 0 ? 8 : std::min(fanout, 8));
  return static_cast<size_t>(std::min(rows, 1e6));
}

HopBuilder::HopBuilder(const GraphView& graph, const std::vector<int32_t>& seeds, size_t expected_rows,
                       bool with_importance)
    : graph_(graph), with_importance_(with_importance), rows_(memory_->rows), picked_(memory_->picked) {
  rows_.reset(expected_rows, graph.num_nodes());
  for (const int32_t seed : seeds) rows_.append(seed);
}

void HopBuilder::begin() {
  block_ = BlockData{};
  block_.num_dst = rows_.size();
  block_.weighted = graph_.weighted();
  block_.has_importance = with_importance_;
  block_.indptr.reserve(static_cast<size_t>(block_.num_dst) + 1);
  block_.indptr.push_back(0);
  picked_.clear();
}

void HopBuilder::end_row(int64_t num_in_edges, bool normalise) {
  const auto begin = static_cast<size_t>(block_.indptr.back());
  check_num_edges(static_cast<int64_t>(picked_.size()));
  block_.indptr.push_back(static_cast<int32_t>(picked_.size()));
  if (!block_.has_importance) return;
  float* sums = block_.importance_sum.data();
  if (normalise) {
    const double total = std::accumulate(sums + begin, sums + picked_.size(), 0.0);
    const double scale = static_cast<double>(num_in_edges) / total;
    for (size_t e = begin; e < picked_.size(); ++e) sums[e] = static_cast<float>(sums[e] * scale);
  }
  for (size_t e = begin; e < picked_.size(); ++e) {
    block_.importance_mean.push_back(sums[e] / static_cast<float>(num_in_edges));
  }
}

void HopBuilder::finish() {
  block_.indices.resize(picked_.size());
  rows_.rows_of(picked_.data(), picked_.size(), block_.indices.data());
  block_.num_src = rows_.size();
  block_.src_ids.assign(rows_.data(), rows_.data() + rows_.size());
  blocks_.push_back(std::move(block_));
}

std::vector<BlockData> HopBuilder::take_blocks() {
  std::reverse(blocks_.begin(), blocks_.end());
  return std::move(blocks_);
}

}  // namespace gnn
