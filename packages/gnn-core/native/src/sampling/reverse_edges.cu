// Edges are counted by src, put to their src in any order by atomics, and then brought into edge order src by src: a
// short list by counting how many of its edges come before each, a long one by a bit for each edge of the block.
#include "gnn/cuda/sampling/reverse_edges.h"

#include <algorithm>

#include "gnn/cuda/sampling/exclusive_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/block_scan.h"

namespace gnn::cuda {
namespace {

constexpr unsigned kMostLongBlocks = 264;  // two for each multiprocessor of the largest devices
// Bits in shared memory: the edges of which a block sees how many of a list come before one.
constexpr int kWindowWords = 5 * kScanThreads;
constexpr int64_t kWindow = int64_t{kWindowWords} * 32;

struct Unordered {
  int32_t* edges;
  int32_t* dst;
};

// Longest list that a warp orders; a block looks through each longer one once for each window of the edges.
int32_t short_list(int64_t num_edges) { return num_edges <= kWindow ? 128 : 1024; }

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
    order_short_lists_kernel(BlockView block, Unordered from, int32_t longest, ReverseEdges out) {
  const int64_t src = warp_index();
  if (src >= block.num_src) return;
  const int32_t begin = out.indptr[src], end = out.indptr[src + 1];
  if (end - begin > longest) return;
  for (int32_t i = begin + lane_index(); i < end; i += 32) {
    const int32_t edge = from.edges[i];
    int32_t at = begin;
    for (int32_t other = begin; other < end; ++other) at += from.edges[other] < edge;
    out.edges[at] = edge;
    out.indices[at] = from.dst[i];
  }
}

struct ListBits {
  uint32_t* bits;    // [kWindowWords] whether an edge of the window is in the list
  int32_t* before;   // [kWindowWords] how many of the list come before a word's first edge
};

// Places those edges of a list that lie in the window that begins at `first`. @returns how many
__device__ inline int32_t order_window(const Unordered& from, int32_t begin, int32_t end, int64_t first, int32_t at,
                                       const ListBits& list, const ReverseEdges& out) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int word = thread; word < kWindowWords; word += kScanThreads) list.bits[word] = 0;
  __syncthreads();
  for (int32_t i = begin + thread; i < end; i += kScanThreads) {
    const int64_t bit = from.edges[i] - first;
    if (bit >= 0 && bit < kWindow) atomicOr(list.bits + bit / 32, 1u << (bit % 32));
  }
  __syncthreads();
  int32_t found = 0;
  for (int word = thread; word < kWindowWords; word += kScanThreads) {
    int32_t total;
    list.before[word] = found + block_scan(__popc(list.bits[word]), &total);
    found += total;
  }
  __syncthreads();
  for (int32_t i = begin + thread; i < end; i += kScanThreads) {
    const int64_t bit = from.edges[i] - first;
    if (bit < 0 || bit >= kWindow) continue;
    const int32_t to = at + list.before[bit / 32] + __popc(list.bits[bit / 32] & ((1u << (bit % 32)) - 1));
    out.edges[to] = from.edges[i];
    out.indices[to] = from.dst[i];
  }
  __syncthreads();
  return found;
}

// The src rows are dealt out to the blocks, as those with long lists often follow each other; of its own, a block looks
// through kScanThreads at a time for long lists.
__global__ void __launch_bounds__(kScanThreads)
    order_long_lists_kernel(BlockView block, Unordered from, int32_t longest_short, ReverseEdges out) {
  DEVICE_SHARED(bits, uint32_t, [kWindowWords]);
  DEVICE_SHARED(before, int32_t, [kWindowWords]);
  DEVICE_SHARED(found, int32_t, [kScanThreads]);
  for (int64_t round = blockIdx.x; round < block.num_src; round += int64_t{gridDim.x} * kScanThreads) {
    const int64_t mine = round + int64_t{threadIdx.x} * gridDim.x;
    const bool is_long = mine < block.num_src && out.indptr[mine + 1] - out.indptr[mine] > longest_short;
    int32_t num_long;
    const int32_t place = block_scan(is_long, &num_long);
    if (is_long) found[place] = static_cast<int32_t>(mine);
    __syncthreads();
    for (int32_t k = 0; k < num_long; ++k) {
      const int32_t begin = out.indptr[found[k]], end = out.indptr[found[k] + 1];
      int32_t at = begin;
      for (int64_t first = 0; first < block.num_edges; first += kWindow) {
        at += order_window(from, begin, end, first, at, {bits, before}, out);
      }
    }
    __syncthreads();
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
  const int32_t longest = short_list(block.num_edges);
  device::launch(order_short_lists_kernel, grid_of_warps(block.num_src), stream, block, unordered, longest, out);
  if (block.num_edges <= longest) return;
  const unsigned blocks = std::min(kMostLongBlocks, device::blocks_for(block.num_src, kScanThreads));
  device::launch(order_long_lists_kernel, {blocks, kScanThreads}, stream, block, unordered, longest, out);
}

}  // namespace gnn::cuda
