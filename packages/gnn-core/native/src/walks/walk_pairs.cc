#include "gnn/walks/walk_pairs.h"

#include <algorithm>
#include <string>

namespace gnn {
namespace {

constexpr uint64_t kNoise = 0x6E6F6973;

struct Pair {
  int32_t centre, other;
  float target;
};

int32_t draw_noise(const PairOptions& options, int32_t num_nodes, NodeRng& rng) {
  if (!options.noise) return static_cast<int32_t>(rng.below(num_nodes));
  const double* end = options.noise + num_nodes;
  const double* found = std::upper_bound(options.noise, end, rng.uniform() * end[-1]);
  return static_cast<int32_t>(std::min<int64_t>(found - options.noise, num_nodes - 1));
}

// Appends the pairs of one walk of `width` nodes.
void append_pairs(const int32_t* walk, int32_t width, const PairOptions& options, int32_t num_nodes, NodeRng rng,
                  std::vector<Pair>& pairs, int64_t& num_positives) {
  const auto length = static_cast<int32_t>(std::find(walk, walk + width, -1) - walk);
  for (int32_t i = 0; i < length; ++i) {
    const int32_t last = std::min(length - 1, i + options.window);
    for (int32_t j = std::max(0, i - options.window); j <= last; ++j) {
      if (walk[i] == walk[j]) continue;
      pairs.push_back({walk[i], walk[j], 1});
      ++num_positives;
      for (int32_t k = 0; k < options.negatives; ++k) {
        const int32_t drawn = draw_noise(options, num_nodes, rng);
        if (drawn != walk[i] && drawn != walk[j]) pairs.push_back({walk[i], drawn, 0});
      }
    }
  }
}

// Rows for the nodes of the pairs, and the pairs by the row of their centre.
WalkPairs by_centre(const std::vector<Pair>& pairs, int32_t num_nodes) {
  WalkPairs result;
  std::vector<int32_t> rows(num_nodes, -1);
  for (const Pair& pair : pairs) rows[pair.centre] = rows[pair.other] = 0;
  for (int32_t node = 0; node < num_nodes; ++node) {
    if (rows[node] < 0) continue;
    rows[node] = static_cast<int32_t>(result.nodes.size());
    result.nodes.push_back(node);
  }
  result.indptr.assign(result.nodes.size() + 1, 0);
  for (const Pair& pair : pairs) ++result.indptr[rows[pair.centre] + 1];
  for (size_t row = 0; row < result.nodes.size(); ++row) result.indptr[row + 1] += result.indptr[row];
  std::vector<int32_t> next(result.indptr.begin(), result.indptr.end() - 1);
  result.indices.resize(pairs.size());
  result.targets.resize(pairs.size());
  for (const Pair& pair : pairs) {
    const int32_t place = next[rows[pair.centre]]++;
    result.indices[place] = rows[pair.other];
    result.targets[place] = pair.target;
  }
  return result;
}

void require_bound(const std::vector<int32_t>& starts, const WalkOptions& walk, const PairOptions& options) {
  const double most = static_cast<double>(starts.size()) * walk.per_node * (walk.length + 1.0) * 2.0 *
                      std::min(options.window, walk.length) * (1.0 + options.negatives);
  if (most < 2147483648.0) return;
  throw Error("DATASET_TOO_LARGE", "Walks from " + std::to_string(starts.size()) +
                                       " nodes may give 2^31 pairs or more in one step; take fewer nodes a step.");
}

}  // namespace

WalkPairs walk_pairs(const GraphView& graph, const std::vector<int32_t>& starts, const WalkOptions& walk_options,
                     const PairOptions& options, const SampleKey& key) {
  require_bound(starts, walk_options, options);
  const std::vector<int32_t> walks = random_walks(graph, starts, walk_options, key);
  const int32_t width = walk_options.length + 1;
  std::vector<Pair> pairs;
  int64_t num_positives = 0;
  const int32_t* walk = walks.data();
  for (const int32_t start : starts) {
    for (int32_t round = 0; round < walk_options.per_node; ++round, walk += width) {
      const NodeRng rng(hop_stream({key.seed, key.epoch, kNoise}, round), start);
      append_pairs(walk, width, options, graph.num_nodes(), rng, pairs, num_positives);
    }
  }
  WalkPairs result = by_centre(pairs, graph.num_nodes());
  result.num_positives = num_positives;
  return result;
}

}  // namespace gnn
