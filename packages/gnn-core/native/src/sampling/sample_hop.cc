#include "gnn/sampling/sample_hop.h"

#include <algorithm>

#include "gnn/sampling/hop_builder.h"
#include "gnn/sampling/pick.h"

namespace gnn {
namespace {

constexpr int32_t kPrefetch = 8;  // rows ahead whose offsets are fetched

// Appends what `draw` takes of a column that is here.
void pick_own(const Column& column, int32_t node, const HopDraw& draw, std::vector<int64_t>& positions,
              HopBuilder& hop) {
  const int64_t picks = num_picks(column.degree, draw.fanout, draw.replace);
  if (static_cast<int64_t>(positions.size()) < picks) positions.resize(picks);
  pick_positions(column.degree, picks, draw.fanout < 0, draw.replace, NodeRng(draw.stream, node), positions.data());
  for (int64_t k = 0; k < picks; ++k) hop.picked().push_back(column.src[positions[k]]);
  for (int64_t k = 0; column.weights && k < picks; ++k) hop.block().weights.push_back(column.weights[positions[k]]);
  for (int64_t k = 0; column.types && k < picks; ++k) hop.block().types.push_back(column.types[positions[k]]);
}

// Appends what is taken of each relation's slice of a column that is here.
void pick_relations(const Column& column, int32_t node, const HopDraw& draw, std::vector<int64_t>& positions,
                    HopBuilder& hop) {
  int32_t previous = -1;
  for (int64_t begin = 0, end = 0; begin < column.degree; begin = end) {
    const int32_t type = column.types[begin];
    if (type <= previous || type >= static_cast<int32_t>(draw.of_relations.size())) {
      throw Error("SHAPE_MISMATCH", "An in-edge of node " + std::to_string(node) + " is of relation " +
                                        std::to_string(type) + " where an ascending one below " +
                                        std::to_string(draw.of_relations.size()) + " is expected.");
    }
    previous = type;
    end = std::upper_bound(column.types + begin, column.types + column.degree, type) - column.types;
    const Column slice{column.src + begin, column.weights ? column.weights + begin : nullptr, end - begin,
                       column.types + begin};
    const HopDraw of_relation{draw.of_relations[type], draw.replace, relation_stream(draw.stream, type)};
    pick_own(slice, node, of_relation, positions, hop);
  }
}

void append_foreign(const ForeignDraws& foreign, int64_t list, HopBuilder& hop) {
  const int32_t begin = foreign.indptr[list], end = foreign.indptr[list + 1];
  hop.picked().insert(hop.picked().end(), foreign.entries + begin, foreign.entries + end);
  BlockData& block = hop.block();
  for (int32_t e = begin; block.weighted && e < end; ++e) block.weights.push_back(foreign.values[e]);
  for (int32_t e = begin; block.typed && e < end; ++e) block.types.push_back(foreign.types[e]);
}

}  // namespace

std::vector<int32_t> foreign_nodes(const GraphView& graph, const int32_t* nodes, int64_t count) {
  std::vector<int32_t> foreign;
  for (int64_t i = 0; i < count; ++i) {
    if (graph.holds(nodes[i])) continue;
    if (static_cast<uint32_t>(nodes[i]) >= static_cast<uint32_t>(graph.num_nodes())) graph.column(nodes[i]);  // throws
    foreign.push_back(nodes[i]);
  }
  return foreign;
}

BlockData sample_hop(const GraphView& graph, const std::vector<int32_t>& nodes, const HopDraw& draw,
                     const ForeignDraws& foreign) {
  if (graph.weighted() && foreign.num_lists > 0 && !foreign.values) {
    throw Error("SHAPE_MISMATCH", "Edges from other ranks have no weights, those here have.");
  }
  if (graph.typed() && foreign.num_lists > 0 && !foreign.types) {
    throw Error("SHAPE_MISMATCH", "Edges from other ranks have no types, those here have.");
  }
  if (!graph.typed() && !draw.of_relations.empty()) {
    throw Error("SHAPE_MISMATCH", "Fanouts of relations need a graph whose edges have types.");
  }
  const auto pick = draw.of_relations.empty() ? pick_own : pick_relations;
  HopBuilder hop(graph, nodes, expected_rows(nodes.size(), {draw.fanout}), false);
  std::vector<int64_t> positions;
  hop.begin();
  hop.block().typed = graph.typed();
  const int32_t num_dst = hop.num_dst();
  int64_t list = 0;
  for (int32_t i = 0; i < num_dst; ++i) {
    const int32_t ahead = i + kPrefetch < num_dst ? nodes[i + kPrefetch] : -1;
    if (ahead >= 0 && graph.holds(ahead)) graph.prefetch_column(ahead);
    if (graph.holds(nodes[i])) pick(graph.column(nodes[i]), nodes[i], draw, positions, hop);
    else if (list < foreign.num_lists) append_foreign(foreign, list++, hop);
    else break;
    check_num_edges(static_cast<int64_t>(hop.picked().size()));
    hop.block().indptr.push_back(static_cast<int32_t>(hop.picked().size()));
  }
  if (list != foreign.num_lists || hop.block().indptr.size() != static_cast<size_t>(num_dst) + 1) {
    throw Error("SHAPE_MISMATCH", "There are draws for " + std::to_string(foreign.num_lists) +
                                      " nodes of other ranks; the hop has another number of them.");
  }
  hop.finish();
  return std::move(hop.take_blocks().front());
}

}  // namespace gnn
