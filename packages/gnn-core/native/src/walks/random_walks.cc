#include "gnn/walks/random_walks.h"

#include <algorithm>

namespace gnn {
namespace {

constexpr uint64_t kWalks = 0x77616C6B;  // keeps walks apart from other draws of the seed and the epoch
constexpr int32_t kEnd = -1;

double weight_of(const Column& column, int64_t edge) {
  return std::max(0.0, static_cast<double>(column.weights[edge]));
}

// An in-neighbour in proportion to the edge weights; kEnd where none weighs anything.
int32_t draw_by_weight(const Column& column, NodeRng& rng) {
  double total = 0;
  for (int64_t e = 0; e < column.degree; ++e) total += weight_of(column, e);
  if (!(total > 0)) return kEnd;
  double left = rng.uniform() * total;
  int32_t last = kEnd;  // where rounding leaves something behind the end
  for (int64_t e = 0; e < column.degree; ++e) {
    const double weight = weight_of(column, e);
    if (weight == 0) continue;
    last = column.src[e];
    if (left < weight) return last;
    left -= weight;
  }
  return last;
}

int32_t draw(const Column& column, NodeRng& rng) {
  if (column.weights) return draw_by_weight(column, rng);
  return column.degree == 0 ? kEnd : column.src[rng.below(column.degree)];
}

// Sources ascend in a column whose edges are all alike; else they ascend by type.
bool has_source(const Column& column, int32_t node) {
  const int32_t* end = column.src + column.degree;
  return column.types ? std::find(column.src, end, node) != end : std::binary_search(column.src, end, node);
}

// Where a walk that came from `before` goes next.
int32_t next_node(const Column& here, int32_t before, const Column& of_before, const WalkOptions& options,
                  NodeRng& rng) {
  if (here.degree == 1) return draw(here, rng);
  const double back = 1 / options.p, away = 1 / options.q, most = std::max({back, 1.0, away});
  for (;;) {
    const int32_t node = draw(here, rng);
    if (node == kEnd) return kEnd;
    const double bias = node == before ? back : has_source(of_before, node) ? 1.0 : away;
    if (rng.uniform() * most < bias) return node;
  }
}

void walk_from(const GraphView& graph, const WalkOptions& options, NodeRng rng, int32_t* walk) {
  const bool first_order = options.p == 1 && options.q == 1;
  Column of_before{};
  for (int32_t step = 0; step < options.length; ++step) {
    const Column here = graph.column(walk[step]);
    walk[step + 1] = first_order || step == 0 ? draw(here, rng)
                                              : next_node(here, walk[step - 1], of_before, options, rng);
    if (walk[step + 1] == kEnd) return;
    of_before = here;
  }
  graph.part_of(walk[options.length]);  // no column of the last node is looked at, and it may be none of the graph
}

}  // namespace

std::vector<int32_t> random_walks(const GraphView& graph, const std::vector<int32_t>& starts,
                                  const WalkOptions& options, const SampleKey& key) {
  const size_t width = static_cast<size_t>(options.length) + 1;
  std::vector<int32_t> walks(starts.size() * options.per_node * width, kEnd);
  int32_t* walk = walks.data();
  for (const int32_t start : starts) {
    for (int32_t round = 0; round < options.per_node; ++round, walk += width) {
      walk[0] = start;
      walk_from(graph, options, NodeRng(hop_stream({key.seed, key.epoch, kWalks}, round), start), walk);
    }
  }
  return walks;
}

}  // namespace gnn
