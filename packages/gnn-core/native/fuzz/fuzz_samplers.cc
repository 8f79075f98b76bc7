// Samplers and what else reads graphs, on graphs from files that somebody else wrote: offsets, sources and weights may
// be anything; only the first and the last offset are as the binding checks them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fuzz.h"
#include "gnn/cluster/induced_subgraph.h"
#include "gnn/error.h"
#include "gnn/graph/cluster_order.h"
#include "gnn/graph/graph_view.h"
#include "gnn/graph/in_degrees.h"
#include "gnn/graph/message_graph.h"
#include "gnn/rows/list_table.h"
#include "gnn/sampling/edge_block.h"
#include "gnn/sampling/labor.h"
#include "gnn/sampling/layer_wise.h"
#include "gnn/sampling/reverse_edges.h"
#include "gnn/sampling/sample_blocks.h"
#include "gnn/sampling/sample_hop.h"
#include "gnn/sampling/weighted_blocks.h"

namespace {

using fuzz::expect;
using fuzz::Source;

struct Part {
  std::vector<int64_t> indptr;
  std::vector<int32_t> indices;
  std::vector<float> weights;
};

struct Graph {
  int32_t num_nodes = 0;
  std::vector<Part> parts;
  bool weighted = false;
  bool damaged = false;

  std::vector<gnn::PartView> views() const {
    std::vector<gnn::PartView> all;
    int32_t first = 0;
    static constexpr float kNone = 0.0f;
    for (const Part& part : parts) {
      const auto nodes = static_cast<int32_t>(part.indptr.size()) - 1;
      const float* weights = !weighted ? nullptr : part.weights.empty() ? &kNone : part.weights.data();
      all.push_back({first, nodes, part.indptr.data(), part.indices.data(), weights,
                     static_cast<int64_t>(part.indices.size())});
      first += nodes;
    }
    return all;
  }
};

float some_weight(Source& source) {
  if (source.chance(90)) return static_cast<float>(source.uniform());
  return source.one_of<float>({0.0f, -0.0f, 1e-45f, 1e-30f, 3e38f, 1.0f, 1e-5f});
}

Part some_part(Source& source, int32_t nodes, int32_t num_nodes, bool weighted) {
  Part part;
  part.indptr.push_back(0);
  for (int32_t i = 0; i < nodes; ++i) {
    const int64_t degree = source.chance(3) ? source.between(60, 400) : source.between(0, 12);
    for (int64_t e = 0; e < degree; ++e) part.indices.push_back(static_cast<int32_t>(source.below(num_nodes)));
    std::sort(part.indices.end() - degree, part.indices.end());
    part.indptr.push_back(static_cast<int64_t>(part.indices.size()));
  }
  for (size_t e = 0; weighted && e < part.indices.size(); ++e) part.weights.push_back(some_weight(source));
  return part;
}

void damage(Source& source, Part& part) {
  for (int64_t i = source.between(1, 3); i > 0; --i) {
    const int64_t kind = source.below(3);
    if (kind == 0 && part.indptr.size() > 2) {
      part.indptr[1 + source.below(static_cast<int64_t>(part.indptr.size()) - 2)] = source.odd_integer();
    } else if (kind == 1 && !part.indices.empty()) {
      part.indices[source.below(static_cast<int64_t>(part.indices.size()))] =
          static_cast<int32_t>(source.odd_integer());
    } else if (kind == 2 && !part.weights.empty()) {
      constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                      kInfinity = std::numeric_limits<float>::infinity();
      part.weights[source.below(static_cast<int64_t>(part.weights.size()))] =
          source.one_of<float>({kNan, kInfinity, -kInfinity, -1.0f});
    }
  }
}

Graph some_graph(Source& source) {
  Graph graph;
  graph.num_nodes = static_cast<int32_t>(source.one_of<int64_t>({1, 2, 5, 20, 60}));
  graph.weighted = source.chance(50);
  graph.damaged = source.chance(60);
  for (int32_t first = 0; first < graph.num_nodes;) {
    const auto nodes =
        static_cast<int32_t>(source.chance(60) ? graph.num_nodes - first : source.between(1, graph.num_nodes - first));
    graph.parts.push_back(some_part(source, nodes, graph.num_nodes, graph.weighted));
    first += nodes;
  }
  if (graph.damaged) damage(source, graph.parts[source.below(static_cast<int64_t>(graph.parts.size()))]);
  return graph;
}

std::vector<int32_t> some_nodes(Source& source, int32_t num_nodes) {
  std::vector<int32_t> nodes(source.between(0, 12));
  for (int32_t& node : nodes) node = static_cast<int32_t>(source.below(num_nodes));
  if (!nodes.empty() && source.chance(5)) nodes[0] = static_cast<int32_t>(source.odd_integer());
  return nodes;
}

std::vector<int32_t> some_fanouts(Source& source) {
  std::vector<int32_t> fanouts(source.between(1, 3));
  for (int32_t& fanout : fanouts) fanout = static_cast<int32_t>(source.one_of<int64_t>({-1, 0, 1, 2, 5, 10, 70, 300}));
  return fanouts;
}

void check(const gnn::BlockData& block, int32_t num_nodes) {
  expect(block.indptr.size() == static_cast<size_t>(block.num_dst) + 1, "a block has another number of rows");
  expect(block.indptr[0] == 0 && std::is_sorted(block.indptr.begin(), block.indptr.end()), "rows of a block overlap");
  expect(block.indptr[block.num_dst] == static_cast<int32_t>(block.indices.size()), "a block has lost edges");
  expect(block.src_ids.size() == static_cast<size_t>(block.num_src), "a row of a block has no node");
  for (const int32_t row : block.indices) expect(row >= 0 && row < block.num_src, "an edge of a block has no row");
  for (const int32_t node : block.src_ids) expect(node >= 0 && node < num_nodes, "a row of a block is no node");
  expect(!block.weighted || block.weights.size() == block.indices.size(), "an edge of a block has no weight");
  const gnn::ReverseEdges reverse =
      gnn::reverse_edges({.num_src = block.num_src,
                          .num_dst = block.num_dst,
                          .num_edges = static_cast<int64_t>(block.indices.size()),
                          .indptr = block.indptr.data(),
                          .indices = block.indices.data()});
  expect(reverse.indices.size() == block.indices.size(), "a block has other edges in reverse");
}

void draw_lists(Source& source, const Graph& graph) {
  const gnn::ListTable table("lists", {0, graph.num_nodes}, 0, graph.views());
  gnn::DrawnLists drawn;
  const std::vector<int32_t> ids = some_nodes(source, graph.num_nodes);
  const gnn::ListDraw draw{static_cast<int32_t>(source.one_of<int64_t>({-1, 0, 3, 100, INT32_MAX})), source.chance(50),
                           source.bits()};
  table.draw(ids.data(), static_cast<int64_t>(ids.size()), draw, 1000, drawn, 4000);
}

// The order and the reverse of a graph, a part of it, its degrees.
void read_graph(Source& source, const Graph& graph, const gnn::GraphView& view) {
  const int64_t kind = source.below(6);
  if (kind == 0) {
    const auto order = gnn::cluster_order(view, 0, graph.num_nodes, static_cast<int32_t>(source.between(1, 20)));
    expect(order.size() == static_cast<size_t>(graph.num_nodes), "an order has lost nodes");
  } else if (kind == 1) {
    gnn::reverse_graph(view);
  } else if (kind == 2) {
    gnn::bidirected_graph(view);
  } else if (kind == 3) {
    std::vector<int32_t> nodes = some_nodes(source, graph.num_nodes);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    gnn::induced_subgraph(view, nodes);
  } else if (kind == 4) {
    gnn::in_degrees(view, some_nodes(source, graph.num_nodes));
  } else {
    draw_lists(source, graph);
  }
}

gnn::BlockData sample_one_hop(Source& source, const Graph& graph, const gnn::GraphView& whole) {
  // Some parts are here, the draws of the others come from their owners, who may send anything.
  const std::vector<gnn::PartView> parts = whole.parts();
  const auto held = static_cast<size_t>(source.between(1, static_cast<int64_t>(parts.size())));
  const gnn::GraphView view(graph.num_nodes, {parts.begin(), parts.begin() + held}, gnn::GraphView::Holds::some);
  const std::vector<int32_t> nodes = some_nodes(source, graph.num_nodes);
  const auto foreign =
      static_cast<int64_t>(gnn::foreign_nodes(view, nodes.data(), static_cast<int64_t>(nodes.size())).size());
  std::vector<int32_t> indptr{0}, entries;
  for (int64_t i = 0; i < foreign; ++i) {
    for (int64_t k = source.between(0, 4); k > 0; --k) {
      entries.push_back(static_cast<int32_t>(source.chance(97) ? source.below(graph.num_nodes) : source.odd_integer()));
    }
    indptr.push_back(static_cast<int32_t>(entries.size()));
  }
  const std::vector<float> values(entries.size() + 1, 1.0f);
  const int64_t lists = source.chance(95) ? foreign : std::min<int64_t>(foreign, source.below(3));
  return gnn::sample_hop(view, nodes, {some_fanouts(source)[0], source.chance(50), source.bits()},
                         {indptr.data(), lists, entries.data(), graph.weighted ? values.data() : nullptr});
}

std::vector<gnn::BlockData> sample(Source& source, const Graph& graph, const gnn::GraphView& view) {
  const std::vector<int32_t> seeds = some_nodes(source, graph.num_nodes), fanouts = some_fanouts(source);
  const gnn::SampleKey key{source.bits(), source.bits(), source.bits()};
  const bool a = source.chance(50), b = source.chance(50), c = source.chance(50);
  switch (source.below(8)) {
    case 0: return gnn::sample_blocks(view, seeds, fanouts, a, key);
    case 1: return gnn::sample_weighted_blocks(view, seeds, {fanouts, a, b}, key);
    case 2:
      return gnn::sample_labor_blocks(view, seeds, {fanouts, static_cast<int32_t>(source.between(-1, 3)), a, b, c},
                                      key);
    case 3: {
      const std::vector<double> distribution = gnn::fastgcn_distribution(view);
      return gnn::sample_fastgcn_blocks(view, distribution.data(), seeds, {fanouts, a}, key);
    }
    case 4: return gnn::sample_ladies_blocks(view, seeds, {fanouts, a, b}, key);
    case 5: {
      std::vector<gnn::BlockData> blocks;
      blocks.push_back(sample_one_hop(source, graph, view));
      return blocks;
    }
    default: {
      const auto first = static_cast<int32_t>(source.below(graph.num_nodes));
      std::vector<gnn::BlockData> blocks;
      blocks.push_back(gnn::full_block(view, first, static_cast<int32_t>(source.between(0, graph.num_nodes - first))));
      return blocks;
    }
  }
}

void one(Source& source) {
  const Graph graph = some_graph(source);
  const gnn::GraphView view(graph.num_nodes, graph.views());
  try {
    if (source.chance(30)) return read_graph(source, graph, view);
    for (const gnn::BlockData& block : sample(source, graph, view)) check(block, graph.num_nodes);
    const auto first = static_cast<int32_t>(source.below(graph.num_nodes));
    gnn::edge_block(view, first, static_cast<int32_t>(source.between(0, graph.num_nodes - first)));
  } catch (const gnn::Error&) {
    // Refused, as it may be
  }
}

}  // namespace

int main(int argc, char** argv) { return fuzz::run(argc, argv, one); }
