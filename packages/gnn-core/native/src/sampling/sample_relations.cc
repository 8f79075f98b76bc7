#include "gnn/sampling/sample_relations.h"

#include <algorithm>
#include <string>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/leased.h"
#include "gnn/sampling/hop_builder.h"
#include "gnn/sampling/pick.h"

namespace gnn {
namespace {

constexpr int32_t kChunk = 64;         // dst nodes whose memory accesses are in flight together
constexpr int64_t kPrefetched = 128;  // types of a column that are asked for ahead

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

// Working memory of one batch, kept for the next.
struct Workspace {
  std::vector<int64_t> positions;
  std::vector<Column> columns;
  std::vector<const int32_t*> picked;
};

// Looks up the columns of dst rows [begin, end); their types are on their way when it returns.
void find_columns(const GraphView& graph, const int32_t* nodes, int32_t begin, int32_t end, Workspace& memory) {
  for (int32_t i = begin; i < end; ++i) graph.prefetch_column(nodes[i]);
  memory.columns.clear();
  for (int32_t i = begin; i < end; ++i) {
    const Column column = graph.column(nodes[i]);
    for (int64_t at = 0; at < std::min(column.degree, kPrefetched); at += 16) __builtin_prefetch(column.types + at);
    memory.columns.push_back(column);
  }
}

// How many of these ascending types are at most `type`. Short lists are counted: a search mispredicts its branches.
GNN_MULTIVERSION int64_t count_up_to(const int32_t* types, int64_t count, int32_t type) {
  if (types[count - 1] <= type) return count;
  if (count > kPrefetched) return std::upper_bound(types, types + count, type) - types;
  int32_t found = 0;
  for (int64_t i = 0; i < count; ++i) found += types[i] <= type;
  return found;
}

// Appends the picks of one node, relation by relation: where they lie, for they are read once all are on their way.
void pick_relations(const Column& column, int32_t node, const HopFanouts& hop, Workspace& memory, BlockData& block) {
  int32_t previous = -1;
  for (int64_t begin = 0, end = 0; begin < column.degree; begin = end) {
    const int32_t type = column.types[begin];
    if (type <= previous || type >= hop.num_relations) refuse_type(node, type, hop.num_relations);
    previous = type;
    end = begin + count_up_to(column.types + begin, column.degree - begin, type);
    const int32_t fanout = hop.fanouts[type];
    const int64_t picks = num_picks(end - begin, fanout, hop.replace);
    if (static_cast<int64_t>(memory.positions.size()) < picks) memory.positions.resize(picks);
    int64_t* positions = memory.positions.data();
    pick_positions(end - begin, picks, fanout < 0, hop.replace, NodeRng(hop.streams[type], node), positions);
    const size_t first = memory.picked.size();
    memory.picked.resize(first + static_cast<size_t>(picks));
    const int32_t** picked = memory.picked.data() + first;
    for (int64_t k = 0; k < picks; ++k) {
      picked[k] = column.src + begin + positions[k];
      __builtin_prefetch(picked[k]);
    }
    block.types.insert(block.types.end(), static_cast<size_t>(picks), type);
    for (int64_t k = 0; column.weights && k < picks; ++k) block.weights.push_back(column.weights[begin + positions[k]]);
  }
}

// Appends the picks of dst rows [begin, end).
void pick_chunk(const GraphView& graph, int32_t begin, int32_t end, const HopFanouts& fanouts, Workspace& memory,
                HopBuilder& hop) {
  BlockData& block = hop.block();
  find_columns(graph, hop.dst_nodes(), begin, end, memory);
  memory.picked.clear();
  const size_t first = hop.picked().size();
  for (int32_t i = begin; i < end; ++i) {
    pick_relations(memory.columns[i - begin], hop.dst_nodes()[i], fanouts, memory, block);
    const size_t num_edges = first + memory.picked.size();
    check_num_edges(static_cast<int64_t>(num_edges));
    block.indptr.push_back(static_cast<int32_t>(num_edges));
  }
  hop.picked().resize(first + memory.picked.size());
  for (size_t k = 0; k < memory.picked.size(); ++k) hop.picked()[first + k] = *memory.picked[k];
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
  const Leased<Workspace> lease;
  std::vector<uint64_t> streams(static_cast<size_t>(fanouts.num_relations));
  for (size_t hop = 0; hop < num_hops; ++hop) {
    const uint64_t stream = hop_stream(key, hop);
    for (size_t r = 0; r < streams.size(); ++r) streams[r] = relation_stream(stream, static_cast<int32_t>(r));
    const HopFanouts of_hop{fanouts.fanouts.data() + hop * streams.size(), fanouts.num_relations, replace, streams};
    hops.begin();
    hops.block().typed = true;
    for (int32_t begin = 0; begin < hops.num_dst(); begin += kChunk) {
      pick_chunk(graph, begin, std::min(begin + kChunk, hops.num_dst()), of_hop, *lease, hops);
    }
    hops.finish();
  }
  return hops.take_blocks();
}

}  // namespace gnn
