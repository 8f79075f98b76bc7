// Walks and what is learnt from them, and neighbours by relation, on graphs from files that somebody else wrote.
#include <algorithm>
#include <numeric>

#include "gnn/error.h"
#include "gnn/sampling/sample_relations.h"
#include "gnn/walks/walk_pairs.h"
#include "graphs.h"

namespace {

using fuzz::expect;
using fuzz::Graph;
using fuzz::Source;

gnn::WalkOptions some_walk(Source& source) {
  // As far as the library lets them go: steps are drawn by rejection, as often as the least likely one asks for.
  const auto bias = [&] { return source.one_of<double>({1.0, 1.0, 0.25, 4.0, 0.01, 100.0}); };
  return {static_cast<int32_t>(source.one_of<int64_t>({0, 1, 2, 5, 40})),
          static_cast<int32_t>(source.one_of<int64_t>({0, 1, 3})), bias(), bias()};
}

gnn::SampleKey some_key(Source& source) { return {source.bits(), source.bits(), 0}; }

void walk(Source& source, const Graph& graph, const gnn::GraphView& view) {
  const std::vector<int32_t> starts = fuzz::some_nodes(source, graph.num_nodes);
  const gnn::WalkOptions options = some_walk(source);
  const std::vector<int32_t> walks = gnn::random_walks(view, starts, options, some_key(source));
  expect(walks.size() == starts.size() * options.per_node * (options.length + 1), "a walk is missing");
  for (const int32_t node : walks) expect(node >= -1 && node < graph.num_nodes, "a walk has left the graph");
}

// Running sums of weights, as they are made of degrees; damaged now and then.
std::vector<double> some_noise(Source& source, int32_t num_nodes) {
  std::vector<double> noise(num_nodes);
  for (double& weight : noise) weight = source.chance(80) ? source.uniform() : 0;
  std::partial_sum(noise.begin(), noise.end(), noise.begin());
  if (source.chance(10)) noise[source.below(num_nodes)] = source.one_of<double>({-1.0, 1e308, 0.0});
  return noise;
}

void pair(Source& source, const Graph& graph, const gnn::GraphView& view) {
  const std::vector<int32_t> starts = fuzz::some_nodes(source, graph.num_nodes);
  const std::vector<double> noise = some_noise(source, graph.num_nodes);
  const gnn::PairOptions options{static_cast<int32_t>(source.one_of<int64_t>({0, 1, 3, 100})),
                                 static_cast<int32_t>(source.one_of<int64_t>({0, 1, 5})),
                                 source.chance(50) ? noise.data() : nullptr};
  const gnn::WalkPairs pairs = gnn::walk_pairs(view, starts, some_walk(source), options, some_key(source));
  const auto rows = static_cast<int32_t>(pairs.nodes.size());
  expect(pairs.indptr.size() == pairs.nodes.size() + 1, "a row of the pairs has no centre");
  expect(pairs.indptr.back() == static_cast<int32_t>(pairs.indices.size()), "a pair is missing");
  for (const int32_t row : pairs.indices) expect(row >= 0 && row < rows, "a pair has no row");
  for (const int32_t node : pairs.nodes) expect(node >= 0 && node < graph.num_nodes, "a pair has left the graph");
}

void by_relation(Source& source, const Graph& graph, const gnn::GraphView& view) {
  const auto relations = static_cast<int32_t>(source.chance(90) ? fuzz::kRelations : source.between(0, 5));
  const std::vector<int32_t> hops = fuzz::some_fanouts(source);
  gnn::RelationFanouts fanouts{{}, relations};
  for (const int32_t fanout : hops) {
    for (int32_t r = 0; r < relations; ++r) fanouts.fanouts.push_back(source.chance(70) ? fanout : 2);
  }
  const std::vector<int32_t> seeds = fuzz::some_nodes(source, graph.num_nodes);
  const gnn::SampleKey key{source.bits(), source.bits(), source.bits()};
  for (const gnn::BlockData& block : gnn::sample_relation_blocks(view, seeds, fanouts, source.chance(50), key)) {
    fuzz::check(block, graph.num_nodes);
    expect(block.types.size() == block.indices.size(), "an edge of a block has no relation");
    for (const int32_t type : block.types) expect(type >= 0 && type < relations, "an edge has no such relation");
  }
}

void one(Source& source) {
  const bool typed = source.chance(40);
  const Graph graph = fuzz::some_graph(source, typed);
  try {
    const gnn::GraphView view(graph.num_nodes, graph.views());
    const int64_t kind = source.below(typed ? 3 : 2);
    if (kind == 0) return walk(source, graph, view);
    if (kind == 1) return pair(source, graph, view);
    by_relation(source, graph, view);
  } catch (const gnn::Error&) {
    // Refused, as it may be
  }
}

}  // namespace

int main(int argc, char** argv) { return fuzz::run(argc, argv, one); }
