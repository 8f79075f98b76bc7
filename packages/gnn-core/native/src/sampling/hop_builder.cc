#include "gnn/sampling/hop_builder.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace gnn {
namespace {

constexpr size_t kPrefetchEdges = 8;  // edges ahead that the row map prefetches

// Kept between batches so that it is paged in once.
struct Workspace {
  RowMap rows;
  std::vector<int32_t> picked;
};

// Not inlined: its callers would look the thread's storage up again and again.
__attribute__((noinline)) Workspace& workspace() {
  thread_local Workspace memory;
  return memory;
}

void relabel(RowMap& rows, const std::vector<int32_t>& nodes, BlockData& block) {
  block.indices.resize(nodes.size());
  for (size_t e = 0; e < nodes.size(); ++e) {
    if (e + kPrefetchEdges < nodes.size()) rows.prefetch(nodes[e + kPrefetchEdges]);
    block.indices[e] = rows.row_of(nodes[e]);
  }
}

// Stable counting sort of the edges by src, so that transposed sums have one order.
void add_reverse(BlockData& block) {
  const size_t num_edges = block.indices.size();
  block.reverse_indptr.assign(static_cast<size_t>(block.num_src) + 1, 0);
  int32_t* next = block.reverse_indptr.data();
  for (const int32_t src : block.indices) ++next[src + 1];
  std::partial_sum(next, next + block.num_src + 1, next);
  block.reverse_indices.resize(num_edges);
  block.reverse_edges.resize(num_edges);
  for (int32_t dst = 0; dst < block.num_dst; ++dst) {
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      const int32_t at = next[block.indices[e]]++;
      block.reverse_indices[at] = dst;
      block.reverse_edges[at] = e;
    }
  }
  // next[src] has become the end of src, which is the beginning of src + 1.
  std::copy_backward(next, next + block.num_src, next + block.num_src + 1);
  next[0] = 0;
}

}  // namespace

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
    : graph_(graph), with_importance_(with_importance), rows_(workspace().rows), picked_(workspace().picked) {
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
  relabel(rows_, picked_, block_);
  block_.num_src = rows_.size();
  block_.src_ids.assign(rows_.nodes().begin(), rows_.nodes().end());
  add_reverse(block_);
  blocks_.push_back(std::move(block_));
}

std::vector<BlockData> HopBuilder::take_blocks() {
  std::reverse(blocks_.begin(), blocks_.end());
  return std::move(blocks_);
}

}  // namespace gnn
