#include "gnn/cuda/nn/gin_sum.h"

#include "gnn/cuda/sparse/segment_sum.h"
#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

constexpr int64_t kDotChunk = 1024;  // elements of one warp

struct DotOfChunk {
  const float* a;
  const float* b;
  int64_t count;
  __device__ double operator()(int64_t chunk) const {
    const int64_t begin = chunk * kDotChunk, end = begin + kDotChunk < count ? begin + kDotChunk : count;
    double sum = 0;
    for (int64_t i = begin + lane_index(); i < end; i += 32) sum += static_cast<double>(a[i]) * b[i];
    return warp_sum(sum);
  }
};

// A warp per dst row, its lanes side by side in the edges.
__global__ void __launch_bounds__(kRowWarps * 32) neighbor_weights_kernel(NeighborWeights op) {
  const int64_t dst = warp_index();
  if (dst >= op.block.num_dst) return;
  const int32_t begin = op.block.indptr[dst], end = op.block.indptr[dst + 1];
  double present = 0.0;
  for (int32_t e = begin + lane_index(); e < end; e += 32) present += op.weights != nullptr ? op.weights[e] : 1.0f;
  const float found = static_cast<float>(warp_sum(present)), self = 1.0f / (op.degrees[dst] + 1.0f);
  float scale = found > 0.0f && op.importance == nullptr ? op.degrees[dst] / found : 1.0f;
  if (op.selves != nullptr) scale *= self;
  if (op.selves != nullptr && lane_index() == 0) op.selves[dst] = self;
  for (int32_t e = begin + lane_index(); e < end; e += 32) {
    op.edges[e] =
        (op.weights != nullptr ? op.weights[e] : 1.0f) * (op.importance != nullptr ? op.importance[e] : 1.0f) * scale;
  }
}

}  // namespace

void gin_sum(Stream& stream, const GinSum& op) {
  sum_segments(stream, {.count = op.block.num_dst,
                        .dim = op.dim,
                        .indptr = op.block.indptr,
                        .indices = op.block.indices,
                        .x = op.x,
                        .entry_weights = op.edge_weights,
                        .num_selves = op.block.num_dst,
                        .epsilon = op.epsilon,
                        .out = op.out});
}

void gin_sum_grad(Stream& stream, const GinSumGrad& op) {
  sum_segments(stream, {.count = op.block.num_src,
                        .dim = op.dim,
                        .indptr = op.block.reverse_indptr,
                        .indices = op.block.reverse_indices,
                        .x = op.dy,
                        .entry_weights = op.edge_weights,
                        .entries = op.reverse_edges,
                        .num_selves = op.block.num_dst,
                        .epsilon = op.epsilon,
                        .out = op.dx});
  const int64_t count = op.block.num_dst * op.dim, chunks = (count + kDotChunk - 1) / kDotChunk;
  sum_items(stream, chunks, DotOfChunk{op.x, op.dy, count}, StoreRounded{op.d_epsilon});
}

void neighbor_weights(Stream& stream, const NeighborWeights& op) {
  if (op.block.num_dst == 0) return;
  device::launch(neighbor_weights_kernel, grid_of_warps(op.block.num_dst), stream, op);
}

}  // namespace gnn::cuda
