// Edges are counted by src, put to their src in any order by atomics, and then brought into edge order src by src: a
// short list by counting how many of its edges come before each, a long one by a walk over all edges.
#include "gnn/cuda/sampling/reverse_edges.h"

#include "gnn/cuda/sampling/exclusive_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/block_scan.h"

namespace gnn::cuda {
namespace {

constexpr int32_t kLongList = 512;
constexpr unsigned kLongBlocks = 64;

struct Unordered {
  int32_t* edges;
  int32_t* dst;
};

// A thread per edge.
__global__ void count_edges_kernel(BlockView block, int32_t* counts) {
  const int64_t e = thread_index();
  if (e < block.num_edges) atomicAdd(counts + block.indices[e], 1);
}

// A warp per dst row, its lanes side by side in the edges.
__global__ void __launch_bounds__(kRowWarps * 32) put_edges_kernel(BlockView block, int32_t* next, Unordered to) {
  const int64_t dst = warp_index();
  if (dst >= block.num_dst) return;
  for (int32_t e = block.indptr[dst] + lane_index(); e < block.indptr[dst + 1]; e += 32) {
    const int32_t at = atomicAdd(next + block.indices[e], 1);
    to.edges[at] = e;
    to.dst[at] = static_cast<int32_t>(dst);
  }
}

// A thread per edge, each of a dst row of its own.
__global__ void put_single_edges_kernel(BlockView block, int32_t* next, Unordered to) {
  const int64_t e = thread_index();
  if (e >= block.num_edges) return;
  const int32_t at = atomicAdd(next + block.indices[e], 1);
  to.edges[at] = static_cast<int32_t>(e);
  to.dst[at] = static_cast<int32_t>(e);
}

// A warp per src row with a short list.
__global__ void __launch_bounds__(kRowWarps * 32)
    order_short_lists_kernel(BlockView block, Unordered from, ReverseEdges out) {
  const int64_t src = warp_index();
  if (src >= block.num_src) return;
  const int32_t begin = out.indptr[src], end = out.indptr[src + 1];
  if (end - begin > kLongList) return;
  for (int32_t i = begin + lane_index(); i < end; i += 32) {
    const int32_t edge = from.edges[i];
    int32_t at = begin;
    for (int32_t other = begin; other < end; ++other) at += from.edges[other] < edge;
    out.edges[at] = edge;
    out.indices[at] = from.dst[i];
  }
}

__device__ inline int32_t dst_of(const BlockView& block, int32_t edge) {
  if (block.indptr == nullptr) return edge;
  int32_t low = 0, high = static_cast<int32_t>(block.num_dst);
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (block.indptr[middle] <= edge) low = middle;
    else high = middle;
  }
  return low;
}

// A block per src row with a long list, of which there are few: no more than num_edges / kLongList.
__global__ void __launch_bounds__(kScanThreads) order_long_lists_kernel(BlockView block, ReverseEdges out) {
  for (int64_t src = blockIdx.x; src < block.num_src; src += gridDim.x) {
    const int32_t begin = out.indptr[src], end = out.indptr[src + 1];
    if (end - begin <= kLongList) continue;
    int32_t base = begin;
    for (int64_t first = 0; first < block.num_edges && base < end; first += kScanThreads) {
      const int64_t e = first + threadIdx.x;
      const bool is_mine = e < block.num_edges && block.indices[e] == src;
      int32_t total;
      const int32_t at = base + block_scan(is_mine, &total);
      if (is_mine) out.edges[at] = static_cast<int32_t>(e), out.indices[at] = dst_of(block, static_cast<int32_t>(e));
      base += total;
    }
  }
}

}  // namespace

void reverse_edges(Stream& stream, const BlockView& block, const ReverseEdges& out) {
  const device::Array<int32_t> counts(stream, block.num_src + 1), edges(stream, block.num_edges),
      dst(stream, block.num_edges);
  device::zero(counts.data(), block.num_src, stream);
  if (block.num_edges > 0)
    device::launch(count_edges_kernel, device::grid_for(block.num_edges), stream, block, counts.data());
  exclusive_sum(stream, block.num_src, counts.data(), out.indptr);
  if (block.num_edges == 0) return;
  device::copy<int32_t>(counts.data(), out.indptr, block.num_src, stream);
  const Unordered unordered{edges.data(), dst.data()};
  if (block.indptr == nullptr)
    device::launch(put_single_edges_kernel, device::grid_for(block.num_edges), stream, block, counts.data(), unordered);
  else device::launch(put_edges_kernel, grid_of_warps(block.num_dst), stream, block, counts.data(), unordered);
  device::launch(order_short_lists_kernel, grid_of_warps(block.num_src), stream, block, unordered, out);
  if (block.num_edges <= kLongList) return;
  device::launch(order_long_lists_kernel, {kLongBlocks, kScanThreads}, stream, block, out);
}

}  // namespace gnn::cuda
