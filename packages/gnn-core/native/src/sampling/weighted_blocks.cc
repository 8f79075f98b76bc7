#include "gnn/sampling/weighted_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gnn/runtime/leased.h"
#include "gnn/sampling/hop_builder.h"

namespace gnn {
namespace {

using Pick = std::pair<double, int64_t>;  // importance or key, position in the column

constexpr int64_t kBlock = 16;          // weights whose sum is kept
constexpr int32_t kMostSearched = 64;   // picks that are searched one by one
constexpr double kLightShare = 0.25;    // of all weights, at most in the heaviest `fanout` edges, for drawing again

// Working memory of one batch, kept for the next.
struct Workspace {
  std::vector<Pick> picks;
  std::vector<double> prefix;  // sums of the weights up to the end of each block of one column
};

struct Weights {
  double total = 0.0;
  float highest = 0.0f;
  int64_t num_positive = 0;
};

struct BlockSummary {
  double sum;
  float highest;
  int32_t num_positive;
  bool valid;
};

// Summarises up to kBlock weights, summed in one order whatever the instruction set.
inline BlockSummary summarise(const float* weights, int64_t count) {
  double sums[4] = {};
  BlockSummary block{0.0, 0.0f, 0, true};
  for (int64_t i = 0; i < count; ++i) {
    sums[i % 4] += static_cast<double>(weights[i]);
    block.highest = weights[i] > block.highest ? weights[i] : block.highest;
    block.num_positive += weights[i] > 0.0f;
    block.valid &= weights[i] >= 0.0f && weights[i] <= std::numeric_limits<float>::max();
  }
  block.sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return block;
}

[[noreturn]] void refuse_weight(const Column& column, int32_t node) {
  int64_t i = 0;
  while (column.weights[i] >= 0.0f && std::isfinite(column.weights[i])) ++i;
  throw Error("DATASET_VALUE_INVALID", "The edge " + std::to_string(column.src[i]) + " -> " + std::to_string(node) +
                                           " (GlobalIds) has weight " + std::to_string(column.weights[i]) +
                                           "; drawing by weight needs finite weights of at least 0.");
}

// Reads a column's weights once and leaves its prefix sums. Throws DATASET_VALUE_INVALID.
Weights read_weights(const Column& column, int32_t node, std::vector<double>& prefix) {
  prefix.clear();
  Weights weights;
  for (int64_t begin = 0; begin < column.degree; begin += kBlock) {
    const BlockSummary block = summarise(column.weights + begin, std::min(kBlock, column.degree - begin));
    if (!block.valid) refuse_weight(column, node);
    prefix.push_back(weights.total += block.sum);
    weights.highest = std::max(weights.highest, block.highest);
    weights.num_positive += block.num_positive;
  }
  return weights;
}

// One position in proportion to the weights, of which at least one is positive.
int64_t draw_position(const Column& column, const std::vector<double>& prefix, double uniform) {
  const double total = prefix.back(), at = std::min(uniform * total, std::nextafter(total, 0.0));
  const int64_t block = std::upper_bound(prefix.begin(), prefix.end(), at) - prefix.begin();
  const int64_t begin = block * kBlock, end = std::min(begin + kBlock, column.degree);
  double left = at - (block > 0 ? prefix[block - 1] : 0.0);
  int64_t found = -1;
  for (int64_t i = begin; i < end && (found < 0 || left >= 0.0); ++i) {
    if (column.weights[i] <= 0.0f) continue;
    found = i;
    left -= column.weights[i];
  }
  return found;  // a block whose sum exceeds `at` has a positive weight
}

void pick_with_replacement(const Column& column, const Weights& weights, int32_t fanout, NodeRng rng,
                           Workspace& memory) {
  for (int32_t k = 0; k < fanout; ++k) {
    const int64_t position = draw_position(column, memory.prefix, rng.uniform());
    const double expected = fanout * static_cast<double>(column.weights[position]) / weights.total;
    memory.picks.emplace_back(1.0 / expected, position);
  }
}

// Draws with replacement at the times of a Poisson process of rate W until fanout + 1 edges have come. Their first
// times are the exponential keys E_e / w_e, without a key for every edge. @returns the time of the edge left out
double arrive(const Column& column, const Weights& weights, int32_t fanout, NodeRng rng, Workspace& memory) {
  std::vector<Pick>& picks = memory.picks;
  double time = 0.0;
  for (;;) {
    time += rng.exponential() / weights.total;
    const int64_t position = draw_position(column, memory.prefix, rng.uniform());
    const auto same = [&](const Pick& pick) { return pick.second == position; };
    if (std::any_of(picks.begin(), picks.end(), same)) continue;
    if (static_cast<int32_t>(picks.size()) == fanout) return time;
    picks.emplace_back(time, position);
  }
}

// A key for every edge of positive weight; keeps the `fanout` smallest. @returns the smallest that is left out
double smallest_keys(const Column& column, int32_t fanout, NodeRng rng, Workspace& memory) {
  std::vector<Pick>& picks = memory.picks;
  for (int64_t i = 0; i < column.degree; ++i) {
    if (column.weights[i] > 0.0f) picks.emplace_back(rng.exponential() / column.weights[i], i);
  }
  std::nth_element(picks.begin(), picks.begin() + fanout, picks.end());
  const double threshold = picks[fanout].first;
  picks.resize(fanout);
  return threshold;
}

void pick_without_replacement(const Column& column, const Weights& weights, int32_t fanout, NodeRng rng,
                              Workspace& memory) {
  if (weights.num_positive <= fanout) {
    for (int64_t i = 0; i < column.degree; ++i) {
      if (column.weights[i] > 0.0f) memory.picks.emplace_back(1.0, i);
    }
    return;
  }
  // Which way is decided by the weights alone, never by what was drawn.
  const double heaviest = fanout * static_cast<double>(weights.highest);
  const bool light = fanout <= kMostSearched && heaviest <= kLightShare * weights.total;
  const double threshold =
      light ? arrive(column, weights, fanout, rng, memory) : smallest_keys(column, fanout, rng, memory);
  for (Pick& pick : memory.picks) pick.first = -1.0 / std::expm1(-threshold * column.weights[pick.second]);
}

// Leaves the picks of a node in ascending order of position. @returns what its weights are
Weights pick(const Column& column, int32_t node, int32_t fanout, bool replace, uint64_t stream, Workspace& memory) {
  memory.picks.clear();
  const Weights weights = read_weights(column, node, memory.prefix);
  if (fanout < 0) {
    for (int64_t i = 0; i < column.degree; ++i) memory.picks.emplace_back(1.0, i);
  } else if (weights.num_positive > 0 && replace) {
    pick_with_replacement(column, weights, fanout, NodeRng(stream, node), memory);
  } else if (weights.num_positive > 0) {
    pick_without_replacement(column, weights, fanout, NodeRng(stream, node), memory);
  }
  std::sort(memory.picks.begin(), memory.picks.end(),
            [](const Pick& a, const Pick& b) { return a.second < b.second; });
  return weights;
}

}  // namespace

std::vector<BlockData> sample_weighted_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                              const WeightedOptions& options, const SampleKey& key) {
  if (!graph.weighted()) {
    throw Error("DATASET_VALUE_INVALID",
                "The graph has no edge weights to draw by; map a weight column or sample uniformly.");
  }
  const Leased<Workspace> lease;
  Workspace& memory = *lease;
  HopBuilder hops(graph, seeds, expected_rows(seeds.size(), options.fanouts), options.importance);
  for (size_t hop = 0; hop < options.fanouts.size(); ++hop) {
    const int32_t fanout = options.fanouts[hop];
    const uint64_t stream = hop_stream(key, hop);
    hops.begin();
    for (int32_t row = 0; row < hops.num_dst(); ++row) {
      const int32_t node = hops.dst_nodes()[row];
      const Column column = graph.column(node);
      const Weights weights = pick(column, node, fanout, options.replace, stream, memory);
      for (const auto& [importance, position] : memory.picks) {
        hops.add(column.src[position], column.weights + position, importance);
      }
      hops.end_row(fanout < 0 ? column.degree : weights.num_positive, false);
    }
    hops.finish();
  }
  return hops.take_blocks();
}

}  // namespace gnn
