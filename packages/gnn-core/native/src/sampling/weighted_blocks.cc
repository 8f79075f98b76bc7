#include "gnn/sampling/weighted_blocks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gnn/sampling/hop_builder.h"

namespace gnn {
namespace {

using Pick = std::pair<double, int64_t>;  // importance or key, position in the column

// Working memory of one thread, kept between batches.
struct Workspace {
  std::vector<Pick> picks;
  std::vector<double> prefix;
};

__attribute__((noinline)) Workspace& workspace() {
  thread_local Workspace memory;
  return memory;
}

void check_weights(const Column& column, int32_t node) {
  for (int64_t i = 0; i < column.degree; ++i) {
    if (column.weights[i] >= 0.0f && std::isfinite(column.weights[i])) continue;
    throw Error("DATASET_VALUE_INVALID", "The edge " + std::to_string(column.src[i]) + " -> " + std::to_string(node) +
                                             " (GlobalIds) has weight " + std::to_string(column.weights[i]) +
                                             "; drawing by weight needs finite weights of at least 0.");
  }
}

void pick_all(const Column& column, std::vector<Pick>& picks) {
  for (int64_t i = 0; i < column.degree; ++i) picks.emplace_back(1.0, i);
}

void pick_with_replacement(const Column& column, int32_t fanout, NodeRng rng, Workspace& memory) {
  memory.prefix.clear();
  double total = 0.0;
  for (int64_t i = 0; i < column.degree; ++i) memory.prefix.push_back(total += column.weights[i]);
  if (total <= 0.0) return;
  const double below_total = std::nextafter(total, 0.0);
  for (int32_t k = 0; k < fanout; ++k) {
    const double at = std::min(rng.uniform() * total, below_total);
    const auto found = std::upper_bound(memory.prefix.begin(), memory.prefix.end(), at);
    const int64_t position = found - memory.prefix.begin();  // there, and of positive weight, because at < total
    memory.picks.emplace_back(total / (fanout * static_cast<double>(column.weights[position])), position);
  }
}

void pick_without_replacement(const Column& column, int32_t fanout, NodeRng rng, Workspace& memory) {
  std::vector<Pick>& picks = memory.picks;
  for (int64_t i = 0; i < column.degree; ++i) {
    const double key = rng.exponential();
    if (column.weights[i] > 0.0f) picks.emplace_back(key / column.weights[i], i);
  }
  if (static_cast<int64_t>(picks.size()) <= fanout) {
    for (Pick& pick : picks) pick.first = 1.0;
    return;
  }
  std::nth_element(picks.begin(), picks.begin() + fanout, picks.end());
  const double threshold = picks[fanout].first;
  picks.resize(fanout);
  for (Pick& pick : picks) pick.first = -1.0 / std::expm1(-threshold * column.weights[pick.second]);
}

int64_t num_positive(const Column& column) {
  return std::count_if(column.weights, column.weights + column.degree, [](float weight) { return weight > 0.0f; });
}

}  // namespace

std::vector<BlockData> sample_weighted_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                              const WeightedOptions& options, const SampleKey& key) {
  if (!graph.weighted()) {
    throw Error("DATASET_VALUE_INVALID",
                "The graph has no edge weights to draw by; map a weight column or sample uniformly.");
  }
  Workspace& memory = workspace();
  HopBuilder hops(graph, seeds, expected_rows(seeds.size(), options.fanouts), options.importance);
  for (size_t hop = 0; hop < options.fanouts.size(); ++hop) {
    const int32_t fanout = options.fanouts[hop];
    const uint64_t stream = hop_stream(key, hop);
    hops.begin();
    for (int32_t row = 0; row < hops.num_dst(); ++row) {
      const int32_t node = hops.dst_nodes()[row];
      const Column column = graph.column(node);
      check_weights(column, node);
      memory.picks.clear();
      if (fanout < 0) {
        pick_all(column, memory.picks);
      } else if (options.replace) {
        pick_with_replacement(column, fanout, NodeRng(stream, node), memory);
      } else {
        pick_without_replacement(column, fanout, NodeRng(stream, node), memory);
      }
      std::sort(memory.picks.begin(), memory.picks.end(),
                [](const Pick& a, const Pick& b) { return a.second < b.second; });
      for (const auto& [importance, position] : memory.picks) {
        hops.add(column.src[position], column.weights + position, importance);
      }
      hops.end_row(fanout < 0 ? column.degree : num_positive(column), false);
    }
    hops.finish();
  }
  return hops.take_blocks();
}

}  // namespace gnn
