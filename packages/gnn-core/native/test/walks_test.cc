// Random walks and their pairs: every step is an edge, every pair lies in the graph, on hostile columns too.
#include <algorithm>

#include "check.h"
#include "gnn/walks/walk_pairs.h"

using test::expect, test::Random, test::refuses;

namespace {

struct Graph {
  int32_t num_nodes;
  std::vector<int64_t> indptr{0};
  std::vector<int32_t> indices;
  std::vector<float> weights;
  gnn::GraphView view(bool weighted) const {
    return {num_nodes, {{0, num_nodes, indptr.data(), indices.data(), weighted ? weights.data() : nullptr,
                         indptr.back()}}};
  }
};

Graph random_graph(uint64_t seed, int32_t num_nodes) {
  Random random(seed);
  Graph graph{num_nodes};
  for (int32_t v = 0; v < num_nodes; ++v) {
    const size_t begin = graph.indices.size();
    for (int64_t i = random.below(6); i > 0; --i) {
      graph.indices.push_back(static_cast<int32_t>(random.below(num_nodes)));
    }
    std::sort(graph.indices.begin() + static_cast<int64_t>(begin), graph.indices.end());
    graph.indptr.push_back(static_cast<int64_t>(graph.indices.size()));
  }
  graph.weights = random.numbers(static_cast<int64_t>(graph.indices.size()));
  return graph;
}

}  // namespace

TEST("every step of a walk is an edge, with weights below zero as none, and a walk that ended goes no further") {
  const Graph graph = random_graph(3, 60);
  const std::vector<int32_t> starts{0, 7, 59, 7};
  for (const bool weighted : {false, true}) {
    const auto walks = gnn::random_walks(graph.view(weighted), starts, {9, 3, 0.3, 4}, {1, 2, 0});
    expect(walks.size() == starts.size() * 3 * 10, "another number of nodes");
    for (size_t at = 0; at < walks.size(); ++at) {
      if (at % 10 == 0) expect(walks[at] == starts[at / 30], "a walk begins elsewhere");
      if (at % 10 == 9 || walks[at + 1] == -1) continue;
      expect(walks[at] >= 0, "a walk that ended goes on");
      bool is_edge = false;
      for (int64_t e = graph.indptr[walks[at]]; e < graph.indptr[walks[at] + 1]; ++e) {
        is_edge = is_edge || (graph.indices[e] == walks[at + 1] && (!weighted || graph.weights[e] > 0));
      }
      expect(is_edge, "a step is no edge");
    }
  }
}

TEST("pairs are rows of their nodes, and no node is one with itself") {
  const Graph graph = random_graph(5, 80);
  std::vector<double> noise(80);
  for (size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<double>(i / 2);
  for (const double* drawn_by : {static_cast<const double*>(nullptr), static_cast<const double*>(noise.data())}) {
    const auto pairs = gnn::walk_pairs(graph.view(false), {1, 2, 79}, {7, 2, 1, 1}, {3, 2, drawn_by}, {4, 1, 0});
    expect(std::is_sorted(pairs.nodes.begin(), pairs.nodes.end()), "nodes do not ascend");
    expect(pairs.indptr.size() == pairs.nodes.size() + 1, "a row is missing");
    expect(pairs.indptr.back() == static_cast<int32_t>(pairs.indices.size()), "pairs are lost");
    expect(std::count(pairs.targets.begin(), pairs.targets.end(), 1.0f) == pairs.num_positives, "another count");
    for (size_t row = 0; row < pairs.nodes.size(); ++row) {
      for (int32_t e = pairs.indptr[row]; e < pairs.indptr[row + 1]; ++e) {
        expect(pairs.indices[e] >= 0 && pairs.indices[e] < static_cast<int32_t>(pairs.nodes.size()), "no such row");
        expect(pairs.indices[e] != static_cast<int32_t>(row), "a node is a pair with itself");
      }
    }
  }
}

TEST("sources outside the graph and too many pairs are refused") {
  Graph graph = random_graph(5, 10);
  const std::vector<int32_t> starts{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const gnn::WalkOptions many{1000, 1000, 1, 1};
  expect(refuses("DATASET_TOO_LARGE",
                 [&] { gnn::walk_pairs(graph.view(false), starts, many, {100, 100, nullptr}, {0, 0, 0}); }),
         "2^31 pairs were taken");
  for (int32_t& source : graph.indices) source = 4000;
  expect(refuses("SHAPE_MISMATCH", [&] { gnn::random_walks(graph.view(false), starts, {5, 1, 2, 1}, {0, 0, 0}); }),
         "a node outside the graph was walked to");
  expect(refuses("SHAPE_MISMATCH", [&] { gnn::random_walks(graph.view(false), starts, {1, 1, 1, 1}, {0, 0, 0}); }),
         "the last step led to a node outside the graph");
  expect(refuses("SHAPE_MISMATCH",
                 [&] { gnn::walk_pairs(graph.view(false), starts, {1, 1, 1, 1}, {1, 1, nullptr}, {0, 0, 0}); }),
         "a node outside the graph was paired");
}
