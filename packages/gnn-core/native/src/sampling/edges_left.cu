// Edges that go are marked, the marks added up, and each edge that stays moves down by how many went before it: by dst,
// and in the same way by src. That reads and writes every edge a few times, a small part of what one hop reads of rows.
#include "gnn/cuda/sampling/edges_left.h"

#include "gnn/cuda/sampling/exclusive_sum.h"

namespace gnn::cuda {
namespace {

// A thread per pair and direction: the edges other -> node, found in the node's column.
__global__ void mark_between_kernel(BlockView block, PairsView pairs, int32_t* gone) {
  const int64_t i = thread_index();
  if (i >= 2 * pairs.count) return;
  const bool is_back = i >= pairs.count;
  const int64_t pair = is_back ? i - pairs.count : i;
  const int32_t node = is_back ? pairs.src[pair] : pairs.dst[pair], other = is_back ? pairs.dst[pair] : pairs.src[pair];
  const int32_t end = block.indptr[node + 1];
  int32_t low = block.indptr[node], high = end;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (block.indices[middle] < other) low = middle + 1;
    else high = middle;
  }
  for (; low < end && block.indices[low] == other; ++low) gone[low] = 1;
}

// What went of the edges in an order, and how many before each.
struct Gone {
  const int32_t* gone;    // [num_edges] by dst
  const int32_t* before;  // [num_edges + 1]
};

// A thread per edge.
__global__ void put_left_kernel(BlockView block, Gone by_dst, int32_t* indices) {
  const int64_t e = thread_index();
  if (e < block.num_edges && by_dst.gone[e] == 0) indices[e - by_dst.before[e]] = block.indices[e];
}

// A thread per edge by src.
__global__ void mark_by_src_kernel(int64_t count, const int32_t* edges, const int32_t* gone, int32_t* gone_by_src) {
  const int64_t i = thread_index();
  if (i < count) gone_by_src[i] = gone[edges[i]];
}

// A thread per edge by src.
__global__ void put_left_by_src_kernel(WholeGraph graph, Gone by_dst, Gone by_src, int32_t* indices, int32_t* edges) {
  const int64_t i = thread_index();
  if (i >= graph.block.num_edges || by_src.gone[i] != 0) return;
  const int64_t to = i - by_src.before[i];
  const int32_t e = graph.reverse_edges[i];
  indices[to] = graph.block.reverse_indices[i];
  edges[to] = e - by_dst.before[e];
}

// A thread per row, and one behind the last. degrees: null where they are not asked for.
__global__ void put_offsets_kernel(int64_t rows, const int32_t* offsets, const int32_t* before, int32_t* out,
                                   float* degrees) {
  const int64_t row = thread_index();
  if (row > rows) return;
  const int32_t begin = offsets[row] - before[offsets[row]];
  out[row] = begin;
  if (degrees == nullptr || row == rows) return;
  degrees[row] = static_cast<float>(offsets[row + 1] - before[offsets[row + 1]] - begin);
}

// A thread per offset.
__global__ void narrow_offsets_kernel(int64_t count, const int64_t* offsets, int32_t* out) {
  const int64_t i = thread_index();
  if (i < count) out[i] = static_cast<int32_t>(offsets[i]);
}

int32_t read_count(Stream& stream, const int32_t* from) {
  auto* const count = static_cast<int32_t*>(stream.word());
  device::download_ahead(count, from, 1, stream);
  stream.synchronize_ahead();
  return *count;
}

}  // namespace

BlockLeft edges_left(Stream& stream, const WholeGraph& graph, const PairsView& pairs) {
  const BlockView& block = graph.block;
  const int64_t edges = block.num_edges;
  const Array<int32_t> gone(stream, edges), gone_by_src(stream, edges);
  const Array<int32_t> before(stream, edges + 1), before_by_src(stream, edges + 1);
  const Gone by_dst{gone.data(), before.data()}, by_src{gone_by_src.data(), before_by_src.data()};
  device::zero(gone.data(), edges, stream);
  if (pairs.count > 0)
    device::launch(mark_between_kernel, device::grid_for(2 * pairs.count), stream, block, pairs, gone.data());
  exclusive_sum(stream, edges, gone.data(), before.data());
  if (edges > 0)
    device::launch(mark_by_src_kernel, device::grid_for(edges), stream, edges, graph.reverse_edges, gone.data(),
                   gone_by_src.data());
  exclusive_sum(stream, edges, gone_by_src.data(), before_by_src.data());
  BlockLeft left;
  left.num_edges = edges - read_count(stream, before.data() + edges);
  for (auto* array : {&left.indices, &left.reverse_indices, &left.reverse_edges})
    *array = Array<int32_t>(stream, left.num_edges);
  left.indptr = Array<int32_t>(stream, block.num_dst + 1);
  left.reverse_indptr = Array<int32_t>(stream, block.num_src + 1);
  left.degrees = Array<float>(stream, block.num_dst);
  device::launch(put_offsets_kernel, device::grid_for(block.num_dst + 1), stream, block.num_dst, block.indptr,
                 before.data(), left.indptr.data(), left.degrees.data());
  device::launch(put_offsets_kernel, device::grid_for(block.num_src + 1), stream, block.num_src, block.reverse_indptr,
                 before_by_src.data(), left.reverse_indptr.data(), static_cast<float*>(nullptr));
  if (left.num_edges == 0) return left;
  device::launch(put_left_kernel, device::grid_for(edges), stream, block, by_dst, left.indices.data());
  device::launch(put_left_by_src_kernel, device::grid_for(edges), stream, graph, by_dst, by_src,
                 left.reverse_indices.data(), left.reverse_edges.data());
  return left;
}

void narrow_offsets(Stream& stream, int64_t count, const int64_t* offsets, int32_t* out) {
  if (count > 0) device::launch(narrow_offsets_kernel, device::grid_for(count), stream, count, offsets, out);
}

}  // namespace gnn::cuda
