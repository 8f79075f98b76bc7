#include "gnn/sampling/sample_blocks.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "gnn/sampling/pick.h"
#include "gnn/sampling/row_map.h"

namespace gnn {
namespace {

constexpr int32_t kChunk = 64;         // dst nodes whose memory accesses are in flight together
constexpr int32_t kPrefetchEdges = 8;  // edges ahead that the row map prefetches

// Working memory of one thread, kept between batches so that it is paged in once.
struct Workspace {
  RowMap rows;
  std::vector<int64_t> positions;
  std::vector<Column> columns;
  std::vector<const int32_t*> picked;
  std::vector<int32_t> picked_nodes;
};

// Not inlined: its callers would look the thread's storage up again and again.
__attribute__((noinline)) Workspace& workspace() {
  thread_local Workspace memory;
  return memory;
}

void check_num_edges(int64_t num_edges) {
  if (num_edges <= INT32_MAX) return;
  throw Error("DATASET_TOO_LARGE", "A block has " + std::to_string(num_edges) +
                                       " edges; at most 2^31 - 1 fit. Lower the batch size or the fanouts.");
}

// Looks up the columns of dst rows [begin, end). @returns how many in-neighbours they will contribute
int64_t find_columns(const GraphView& graph, int32_t begin, int32_t end, int32_t fanout, bool replace, Workspace& memory,
                     BlockData& block) {
  const int32_t* nodes = memory.rows.nodes().data();
  for (int32_t i = begin; i < end; ++i) graph.prefetch_column(nodes[i]);
  memory.columns.clear();
  const int64_t first_edge = block.indptr.back();
  int64_t num_edges = first_edge;
  for (int32_t i = begin; i < end; ++i) {
    memory.columns.push_back(graph.column(nodes[i]));
    num_edges += num_picks(memory.columns.back().degree, fanout, replace);
    check_num_edges(num_edges);
    block.indptr.push_back(static_cast<int32_t>(num_edges));
  }
  return num_edges - first_edge;
}

// Appends the sampled in-neighbours of dst rows [begin, end) as node ids, with their weights.
void pick_chunk(const GraphView& graph, int32_t begin, int32_t end, int32_t fanout, bool replace, uint64_t stream,
                Workspace& memory, BlockData& block) {
  const int64_t count = find_columns(graph, begin, end, fanout, replace, memory, block);
  const int32_t* nodes = memory.rows.nodes().data();
  memory.positions.resize(count);
  memory.picked.resize(count);
  const int32_t** picked = memory.picked.data();
  int64_t* positions = memory.positions.data();
  for (int32_t i = begin; i < end; ++i) {
    const Column& column = memory.columns[i - begin];
    const int64_t picks = block.indptr[i + 1] - block.indptr[i];
    pick_positions(column.degree, picks, fanout < 0, replace, NodeRng(stream, nodes[i]), positions);
    for (int64_t k = 0; k < picks; ++k) {
      picked[k] = column.src + positions[k];
      __builtin_prefetch(picked[k]);
    }
    if (column.weights) {
      for (int64_t k = 0; k < picks; ++k) block.weights.push_back(column.weights[positions[k]]);
    }
    picked += picks;
    positions += picks;
  }
  for (const int32_t* src : memory.picked) memory.picked_nodes.push_back(*src);
}

void relabel(Workspace& memory, BlockData& block) {
  const std::vector<int32_t>& nodes = memory.picked_nodes;
  block.indices.resize(nodes.size());
  for (size_t e = 0; e < nodes.size(); ++e) {
    if (e + kPrefetchEdges < nodes.size()) memory.rows.prefetch(nodes[e + kPrefetchEdges]);
    block.indices[e] = memory.rows.row_of(nodes[e]);
  }
}

// Stable counting sort of the edges by src, so that transposed sums have one order.
void add_reverse(BlockData& block) {
  const auto num_edges = static_cast<int32_t>(block.indices.size());
  block.reverse_indptr.assign(static_cast<size_t>(block.num_src) + 1, 0);
  for (const int32_t src : block.indices) ++block.reverse_indptr[src + 1];
  std::partial_sum(block.reverse_indptr.begin(), block.reverse_indptr.end(), block.reverse_indptr.begin());
  block.reverse_indices.resize(num_edges);
  block.reverse_edges.resize(num_edges);
  std::vector<int32_t> next(block.reverse_indptr.begin(), block.reverse_indptr.end() - 1);
  for (int32_t dst = 0; dst < block.num_dst; ++dst) {
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      const int32_t at = next[block.indices[e]]++;
      block.reverse_indices[at] = dst;
      block.reverse_edges[at] = e;
    }
  }
}

// One hop from all rows that the map holds; afterwards it holds the src rows too.
BlockData sample_hop(const GraphView& graph, int32_t fanout, bool replace, uint64_t stream, Workspace& memory) {
  BlockData block;
  block.num_dst = memory.rows.size();
  block.weighted = graph.weighted();
  block.indptr.reserve(static_cast<size_t>(block.num_dst) + 1);
  block.indptr.push_back(0);
  memory.picked_nodes.clear();
  for (int32_t begin = 0; begin < block.num_dst; begin += kChunk) {
    pick_chunk(graph, begin, std::min(begin + kChunk, block.num_dst), fanout, replace, stream, memory, block);
  }
  relabel(memory, block);
  block.num_src = memory.rows.size();
  block.src_ids.assign(memory.rows.nodes().begin(), memory.rows.nodes().end());
  add_reverse(block);
  return block;
}

size_t expected_rows(size_t num_seeds, const std::vector<int32_t>& fanouts) {
  double rows = static_cast<double>(num_seeds);
  for (const int32_t fanout : fanouts) rows *= 1 + (fanout < 0 ? 8 : std::min(fanout, 8));
  return static_cast<size_t>(std::min(rows, 1e6));
}

}  // namespace

std::vector<BlockData> sample_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                     const std::vector<int32_t>& fanouts, bool replace, const SampleKey& key) {
  Workspace& memory = workspace();
  memory.rows.reset(expected_rows(seeds.size(), fanouts), graph.num_nodes());
  for (const int32_t seed : seeds) memory.rows.append(seed);
  std::vector<BlockData> blocks;
  for (size_t hop = 0; hop < fanouts.size(); ++hop) {
    blocks.push_back(sample_hop(graph, fanouts[hop], replace, hop_stream(key, hop), memory));
  }
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

BlockData full_block(const GraphView& graph, int32_t first_node, int32_t num_nodes) {
  std::vector<int32_t> nodes(num_nodes);
  std::iota(nodes.begin(), nodes.end(), first_node);
  return std::move(sample_blocks(graph, nodes, {-1}, false, SampleKey{}).front());
}

}  // namespace gnn
