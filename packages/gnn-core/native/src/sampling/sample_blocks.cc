#include "gnn/sampling/sample_blocks.h"

#include <algorithm>
#include <numeric>

#include "gnn/runtime/leased.h"
#include "gnn/sampling/hop_builder.h"
#include "gnn/sampling/pick.h"

namespace gnn {
namespace {

constexpr int32_t kChunk = 64;  // dst nodes whose memory accesses are in flight together

// Working memory of one batch, kept for the next.
struct Workspace {
  std::vector<int64_t> positions;
  std::vector<Column> columns;
  std::vector<const int32_t*> picked;
};

struct Draw {
  int32_t fanout;
  bool replace;
  uint64_t stream;
};

// Looks up the columns of dst rows [begin, end). @returns how many in-neighbours they will contribute
int64_t find_columns(const GraphView& graph, int32_t begin, int32_t end, const Draw& draw, Workspace& memory,
                     HopBuilder& hop) {
  const int32_t* nodes = hop.dst_nodes();
  for (int32_t i = begin; i < end; ++i) graph.prefetch_column(nodes[i]);
  memory.columns.clear();
  Recycled<int32_t>& indptr = hop.block().indptr;
  const int64_t first_edge = indptr.back();
  int64_t num_edges = first_edge;
  for (int32_t i = begin; i < end; ++i) {
    memory.columns.push_back(graph.column(nodes[i]));
    num_edges += num_picks(memory.columns.back().degree, draw.fanout, draw.replace);
    check_num_edges(num_edges);
    indptr.push_back(static_cast<int32_t>(num_edges));
  }
  return num_edges - first_edge;
}

// Appends the sampled in-neighbours of dst rows [begin, end) as node ids, with their weights.
void pick_chunk(const GraphView& graph, int32_t begin, int32_t end, const Draw& draw, Workspace& memory,
                HopBuilder& hop) {
  const int64_t count = find_columns(graph, begin, end, draw, memory, hop);
  BlockData& block = hop.block();
  const int32_t* nodes = hop.dst_nodes();
  memory.positions.resize(count);
  memory.picked.resize(count);
  const int32_t** picked = memory.picked.data();
  int64_t* positions = memory.positions.data();
  for (int32_t i = begin; i < end; ++i) {
    const Column& column = memory.columns[i - begin];
    const int64_t picks = block.indptr[i + 1] - block.indptr[i];
    pick_positions(column.degree, picks, draw.fanout < 0, draw.replace, NodeRng(draw.stream, nodes[i]), positions);
    for (int64_t k = 0; k < picks; ++k) {
      picked[k] = column.src + positions[k];
      __builtin_prefetch(picked[k]);
    }
    if (column.weights) {
      for (int64_t k = 0; k < picks; ++k) block.weights.push_back(column.weights[positions[k]]);
    }
    for (int64_t k = 0; block.typed && k < picks; ++k) block.types.push_back(column.types[positions[k]]);
    picked += picks;
    positions += picks;
  }
  std::vector<int32_t>& nodes_picked = hop.picked();
  const size_t first = nodes_picked.size();
  nodes_picked.resize(first + count);
  for (int64_t k = 0; k < count; ++k) nodes_picked[first + k] = *memory.picked[k];
}

}  // namespace

std::vector<BlockData> sample_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                     const std::vector<int32_t>& fanouts, bool replace, const SampleKey& key) {
  const Leased<Workspace> lease;
  Workspace& memory = *lease;
  HopBuilder hops(graph, seeds, expected_rows(seeds.size(), fanouts), false);
  for (size_t hop = 0; hop < fanouts.size(); ++hop) {
    const Draw draw{fanouts[hop], replace, hop_stream(key, hop)};
    hops.begin();
    hops.block().typed = graph.typed();
    for (int32_t begin = 0; begin < hops.num_dst(); begin += kChunk) {
      pick_chunk(graph, begin, std::min(begin + kChunk, hops.num_dst()), draw, memory, hops);
    }
    hops.finish();
  }
  return hops.take_blocks();
}

BlockData full_block(const GraphView& graph, int32_t first_node, int32_t num_nodes) {
  std::vector<int32_t> nodes(num_nodes);
  std::iota(nodes.begin(), nodes.end(), first_node);
  return std::move(sample_blocks(graph, nodes, {-1}, false, SampleKey{}).front());
}

}  // namespace gnn
