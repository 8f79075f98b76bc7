// Samplers and what else reads graphs, on graphs from files that somebody else wrote: offsets, sources and weights may
// be anything; only the first and the last offset are as the binding checks them.
#include <algorithm>

#include "graphs.h"
#include "gnn/cluster/induced_subgraph.h"
#include "gnn/error.h"
#include "gnn/graph/cluster_order.h"
#include "gnn/graph/graph_view.h"
#include "gnn/graph/in_degrees.h"
#include "gnn/graph/message_graph.h"
#include "gnn/rows/list_table.h"
#include "gnn/sampling/edge_block.h"
#include "gnn/sampling/labor.h"
#include "gnn/sampling/hg_sampling.h"
#include "gnn/sampling/layer_wise.h"
#include "gnn/sampling/sample_blocks.h"
#include "gnn/sampling/sample_hop.h"
#include "gnn/sampling/weighted_blocks.h"

namespace {

using fuzz::check;
using fuzz::expect;
using fuzz::Graph;
using fuzz::some_fanouts;
using fuzz::some_graph;
using fuzz::some_nodes;
using fuzz::Source;

void draw_lists(Source& source, const Graph& graph) {
  const gnn::ListTable table("lists", {0, graph.num_nodes}, 0, graph.views());
  gnn::DrawnLists drawn;
  const std::vector<int32_t> ids = some_nodes(source, graph.num_nodes);
  const gnn::ListDraw draw{static_cast<int32_t>(source.one_of<int64_t>({-1, 0, 3, 100, INT32_MAX})), source.chance(50),
                           source.bits(), static_cast<int32_t>(source.between(-1, 4))};
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
  switch (source.below(9)) {
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
    case 6: {
      const auto num_types = static_cast<int32_t>(source.between(1, 4));
      std::vector<int32_t> codes;
      for (int32_t node = 0; node < graph.num_nodes; ++node) {
        codes.push_back(static_cast<int32_t>(source.chance(99) ? source.below(num_types) : source.odd_integer()));
      }
      return gnn::sample_hg_blocks(view, {a ? codes.data() : nullptr, num_types, graph.num_nodes}, seeds, fanouts, key);
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
