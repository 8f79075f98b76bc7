#include "gnn/cuda/sampling/sample_blocks.h"

#include <algorithm>
#include <bit>
#include <string>

#include "gnn/cuda/sampling/exclusive_sum.h"
#include "gnn/device/total.h"
#include "gnn/error.h"
#include "sampling/pick_kernel.h"

namespace gnn::cuda {
namespace {

// A thread per dst row.
__global__ void count_picks_kernel(GraphView graph, const int32_t* nodes, int64_t count, HopDraw draw, int32_t* picks) {
  const int64_t i = thread_index();
  if (i >= count) return;
  picks[i] = static_cast<int32_t>(num_picks(graph.indptr[nodes[i] + 1] - graph.indptr[nodes[i]], draw));
}

struct CountPicks {
  const int32_t* picks;
  __device__ double operator()(int64_t i) const { return picks[i]; }
};

// A thread per dst row draws positions where its nodes come to lie, then looks them up.
__global__ void pick_kernel(GraphView graph, const int32_t* nodes, int64_t count, HopDraw draw, const int32_t* indptr,
                            int32_t* picked, float* weights) {
  const int64_t i = thread_index();
  if (i >= count) return;
  const int64_t begin = graph.indptr[nodes[i]], degree = graph.indptr[nodes[i] + 1] - begin;
  const int64_t first = indptr[i], picks = indptr[i + 1] - first;
  const bool takes_all = draw.fanout < 0 || (!draw.replace && picks == degree);
  if (!takes_all) draw_positions(degree, picks, draw.replace, NodeDraws(draw.stream, nodes[i]), picked + first);
  for (int64_t k = first; k < first + picks; ++k) {
    const int64_t at = begin + (takes_all ? k - first : picked[k]);
    picked[k] = graph.indices[at];
    if (weights != nullptr) weights[k] = graph.weights[at];
  }
}

// What finds the row of a node: entries are the dst rows' nodes, then the picked ones.
struct RowTable {
  const int32_t* nodes;
  int64_t num_dst;
  const int32_t* picked;
  int64_t num_picked;
  uint32_t mask;     // one less than the number of slots
  int32_t* node_of;  // by slot, -1: free
  int32_t* first;    // by slot: the first entry of the node
  int32_t* row;      // by slot
  int32_t* slot_of;  // by entry

  __device__ int64_t num_entries() const { return num_dst + num_picked; }
  __device__ int32_t node(int64_t entry) const { return entry < num_dst ? nodes[entry] : picked[entry - num_dst]; }
  __device__ bool is_first(int64_t entry) const { return first[slot_of[entry]] == entry; }
};

// A thread per entry, in all of these.
__global__ void insert_kernel(RowTable table) {
  const int64_t entry = thread_index();
  if (entry >= table.num_entries()) return;
  const int32_t node = table.node(entry);
  uint32_t slot = static_cast<uint32_t>(static_cast<uint32_t>(node) * kSplitmixStep >> 32) & table.mask;
  for (;; slot = (slot + 1) & table.mask) {
    const int32_t found = atomicCAS(table.node_of + slot, -1, node);
    if (found == -1 || found == node) break;
  }
  atomicMin(table.first + slot, static_cast<int32_t>(entry));
  table.slot_of[entry] = static_cast<int32_t>(slot);
}

__global__ void flag_new_kernel(RowTable table, int32_t* flags) {
  const int64_t i = thread_index();
  if (i < table.num_picked) flags[i] = table.is_first(table.num_dst + i);
}

// A repeated seed has a row of its own; those who pick its node find the first.
__global__ void number_rows_kernel(RowTable table, const int32_t* ranks, int32_t* src_ids) {
  const int64_t entry = thread_index();
  if (entry >= table.num_entries()) return;
  const bool is_dst = entry < table.num_dst, is_first = table.is_first(entry);
  const int64_t row = is_dst ? entry : table.num_dst + ranks[entry - table.num_dst];
  if (is_dst || is_first) src_ids[row] = table.node(entry);
  if (is_first) table.row[table.slot_of[entry]] = static_cast<int32_t>(row);
}

__global__ void find_rows_kernel(RowTable table, int32_t* indices) {
  const int64_t i = thread_index();
  if (i < table.num_picked) indices[i] = table.row[table.slot_of[table.num_dst + i]];
}

template <typename T>
T read(Stream& stream, const T* from) {
  static_assert(sizeof(T) <= sizeof(double));
  T* const value = static_cast<T*>(stream.word());
  device::download_ahead(value, from, 1, stream);
  stream.synchronize_ahead();
  return *value;
}

void check_num_edges(double count) {
  if (count <= INT32_MAX) return;
  throw Error("DATASET_TOO_LARGE", "A block has " + std::to_string(static_cast<int64_t>(count)) +
                                       " edges; at most 2^31 - 1 fit. Lower the batch size or the fanouts.");
}

// How many each dst row picks, and where its picks begin. @returns how many there are in all
int64_t count_picks(Stream& stream, const GraphView& graph, const Seeds& dst, const HopDraw& draw, int32_t* indptr) {
  const Array<int32_t> picks(stream, dst.count);
  const Array<double> total(stream, 1);
  device::launch(count_picks_kernel, device::grid_for(dst.count), stream, graph, dst.nodes, dst.count, draw,
                 picks.data());
  sum_items(stream, dst.count, CountPicks{picks.data()}, StoreTotal{total.data()});
  exclusive_sum(stream, dst.count, picks.data(), indptr);
  const double count = read(stream, total.data());
  check_num_edges(count);
  return static_cast<int64_t>(count);
}

// Gives rows to the picked nodes, in order of first appearance behind the dst rows.
void relabel(Stream& stream, const Seeds& dst, const int32_t* picked, BlockData& block) {
  const int64_t entries = block.num_dst + block.num_edges;
  const auto slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(2 * entries, 1024))));
  const Array<int32_t> node_of(stream, slots), first(stream, slots), row(stream, slots), slot_of(stream, entries),
      flags(stream, block.num_edges), ranks(stream, block.num_edges + 1);
  // -1 is a free slot; 0x7f7f7f7f is behind every entry's number, as a table of that many does not fit.
  device::driver::fill(node_of.data(), 0xff, static_cast<size_t>(slots) * sizeof(int32_t), stream.state());
  device::driver::fill(first.data(), 0x7f, static_cast<size_t>(slots) * sizeof(int32_t), stream.state());
  const RowTable table{dst.nodes, block.num_dst, picked, block.num_edges, static_cast<uint32_t>(slots - 1),
                       node_of.data(), first.data(), row.data(), slot_of.data()};
  device::launch(insert_kernel, device::grid_for(entries), stream, table);
  if (block.num_edges > 0)
    device::launch(flag_new_kernel, device::grid_for(block.num_edges), stream, table, flags.data());
  exclusive_sum(stream, block.num_edges, flags.data(), ranks.data());
  block.num_src = block.num_dst + read(stream, ranks.data() + block.num_edges);
  block.src_ids = Array<int32_t>(stream, block.num_src);
  device::launch(number_rows_kernel, device::grid_for(entries), stream, table, ranks.data(), block.src_ids.data());
  if (block.num_edges == 0) return;
  device::launch(find_rows_kernel, device::grid_for(block.num_edges), stream, table, block.indices.data());
}

BlockData sample_hop(Stream& stream, const GraphView& graph, const Seeds& dst, const HopDraw& draw) {
  BlockData block;
  block.num_dst = dst.count;
  block.indptr = Array<int32_t>(stream, dst.count + 1);
  block.num_edges = count_picks(stream, graph, dst, draw, block.indptr.data());
  const Array<int32_t> picked(stream, block.num_edges);
  block.indices = Array<int32_t>(stream, block.num_edges);
  if (graph.weights != nullptr) block.weights = Array<float>(stream, block.num_edges);
  device::launch(pick_kernel, device::grid_for(dst.count), stream, graph, dst.nodes, dst.count, draw,
                 block.indptr.data(), picked.data(), block.weights.data());
  relabel(stream, dst, picked.data(), block);
  return block;
}

}  // namespace

std::vector<BlockData> sample_blocks(Stream& stream, const GraphView& graph, const Seeds& seeds,
                                     const std::vector<int32_t>& fanouts, bool replace, const SampleKey& key) {
  std::vector<BlockData> blocks;
  Seeds dst = seeds;
  for (size_t hop = 0; hop < fanouts.size(); ++hop) {
    if (dst.count == 0) throw Error("SHAPE_MISMATCH", "A batch without seeds has no blocks.");
    blocks.push_back(sample_hop(stream, graph, dst, {fanouts[hop], replace, hop_stream(key, hop)}));
    dst = {blocks.back().src_ids.data(), blocks.back().num_src};
  }
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

}  // namespace gnn::cuda
