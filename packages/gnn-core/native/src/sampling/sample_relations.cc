#include "gnn/sampling/sample_relations.h"

#include <algorithm>
#include <string>

#include "gnn/sampling/hop_builder.h"
#include "gnn/sampling/pick.h"

namespace gnn {
namespace {

struct HopFanouts {
  const int32_t* fanouts;
  int32_t num_relations;
  bool replace;
  const std::vector<uint64_t>& streams;  // of each relation
};

[[noreturn]] void refuse_type(int32_t node, int32_t type, int32_t num_relations) {
  throw Error("SHAPE_MISMATCH", "An in-edge of node " + std::to_string(node) + " is of relation " +
                                    std::to_string(type) + " where an ascending one below " +
                                    std::to_string(num_relations) +
                                    " is expected: there is a fanout for each, and columns are sorted by relation.");
}

// Appends the picks of one node, relation by relation.
void pick_relations(const Column& column, int32_t node, const HopFanouts& hop, std::vector<int64_t>& positions,
                    HopBuilder& hops) {
  BlockData& block = hops.block();
  int32_t previous = -1;
  for (int64_t begin = 0, end = 0; begin < column.degree; begin = end) {
    const int32_t type = column.types[begin];
    if (type <= previous || type >= hop.num_relations) refuse_type(node, type, hop.num_relations);
    previous = type;
    end = std::upper_bound(column.types + begin, column.types + column.degree, type) - column.types;
    const int32_t fanout = hop.fanouts[type];
    const int64_t picks = num_picks(end - begin, fanout, hop.replace);
    if (static_cast<int64_t>(positions.size()) < picks) positions.resize(picks);
    pick_positions(end - begin, picks, fanout < 0, hop.replace, NodeRng(hop.streams[type], node), positions.data());
    for (int64_t k = 0; k < picks; ++k) {
      const int64_t at = begin + positions[k];
      hops.picked().push_back(column.src[at]);
      block.types.push_back(type);
      if (column.weights) block.weights.push_back(column.weights[at]);
    }
  }
  check_num_edges(static_cast<int64_t>(hops.picked().size()));
  block.indptr.push_back(static_cast<int32_t>(hops.picked().size()));
}

// In-neighbours per hop, of all relations together.
std::vector<int32_t> totals(const RelationFanouts& fanouts, size_t num_hops) {
  std::vector<int32_t> of_hops(num_hops, 0);
  for (size_t i = 0; i < num_hops * static_cast<size_t>(fanouts.num_relations); ++i) {
    int32_t& total = of_hops[i / static_cast<size_t>(fanouts.num_relations)];
    total = total < 0 || fanouts.fanouts[i] < 0 ? -1 : std::min(total, 1 << 20) + fanouts.fanouts[i];
  }
  return of_hops;
}

}  // namespace

std::vector<BlockData> sample_relation_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                              const RelationFanouts& fanouts, bool replace, const SampleKey& key) {
  if (!graph.typed() || fanouts.num_relations < 1) {
    throw Error("SHAPE_MISMATCH", "Fanouts of relations need a graph whose edges have types.");
  }
  const size_t num_hops = fanouts.fanouts.size() / static_cast<size_t>(fanouts.num_relations);
  HopBuilder hops(graph, seeds, expected_rows(seeds.size(), totals(fanouts, num_hops)), false);
  std::vector<int64_t> positions;
  std::vector<uint64_t> streams(static_cast<size_t>(fanouts.num_relations));
  for (size_t hop = 0; hop < num_hops; ++hop) {
    const uint64_t stream = hop_stream(key, hop);
    for (size_t r = 0; r < streams.size(); ++r) streams[r] = mix64(stream + (r + 1) * kGolden);
    const HopFanouts of_hop{fanouts.fanouts.data() + hop * streams.size(), fanouts.num_relations, replace, streams};
    hops.begin();
    hops.block().typed = true;
    for (int32_t row = 0; row < hops.num_dst(); ++row) {
      if (row + 8 < hops.num_dst()) graph.prefetch_column(hops.dst_nodes()[row + 8]);
      const int32_t node = hops.dst_nodes()[row];
      pick_relations(graph.column(node), node, of_hop, positions, hops);
    }
    hops.finish();
  }
  return hops.take_blocks();
}

}  // namespace gnn
