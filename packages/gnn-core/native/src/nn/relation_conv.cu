// Rows are summed by segment, multiplied by the weights of their relations in one kernel for all of them, and added up
// by row: as many kernels for fifty relations as for two.
#include "gnn/cuda/nn/relation_conv.h"

#include "gnn/cuda/nn/relation_products.h"
#include "gnn/cuda/sparse/segment_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

using device::Array;

// out_v = sum over relations r of what row v has of r: of its segment there the value, or the sum of the values of its
// entries, which are counted from first[r] on.
struct SumsByRow {
  RelationSegments segments;
  const int32_t* first;  // [num_relations]; null: the value of the segment itself
  const float* values;   // rows of `dim`
  int64_t num_rows, dim;
  float* out;  // [num_rows, dim]
};

// A row's segment of a relation, -1 where it has none.
__device__ inline int32_t segment_of(const RelationSegments& segments, int64_t relation, int64_t row) {
  int32_t begin = segments.relations[relation], end = segments.relations[relation + 1];
  const int32_t last = end;
  while (begin < end) {
    const int32_t middle = begin + (end - begin) / 2;
    if (segments.rows[middle] < row) begin = middle + 1;
    else end = middle;
  }
  return begin < last && segments.rows[begin] == row ? begin : -1;
}

__device__ inline float value_of(const SumsByRow& op, int64_t relation, int32_t segment, int64_t column) {
  if (op.first == nullptr) return op.values[segment * op.dim + column];
  float sum = 0.0f;
  for (int32_t i = op.segments.indptr[segment]; i < op.segments.indptr[segment + 1]; ++i) {
    sum += op.values[(op.first[relation] + op.segments.entries[i]) * op.dim + column];
  }
  return sum;
}

// A warp per row: its lanes look up 32 relations at once, then are side by side in the columns.
__global__ void __launch_bounds__(kRowWarps * 32) add_by_row_kernel(SumsByRow op) {
  const int64_t row = warp_index(), num_relations = op.segments.num_relations;
  if (row >= op.num_rows) return;
  for (int64_t r0 = 0; r0 < num_relations; r0 += 32) {
    const int32_t mine = r0 + lane_index() < num_relations ? segment_of(op.segments, r0 + lane_index(), row) : -1;
    for (int64_t d0 = 0; d0 < op.dim; d0 += 32) {
      const int64_t column = d0 + lane_index();
      const bool is_mine = column < op.dim;
      float sum = is_mine && r0 > 0 ? op.out[row * op.dim + column] : 0.0f;
      for (unsigned found = __ballot_sync(kAllLanes, mine >= 0); found != 0; found &= found - 1) {
        const int k = __ffs(static_cast<int>(found)) - 1;
        const int32_t segment = __shfl_sync(kAllLanes, mine, k);
        if (is_mine) sum += value_of(op, r0 + k, segment, column);
      }
      if (is_mine) op.out[row * op.dim + column] = sum;
    }
  }
}

void add_by_row(Stream& stream, const SumsByRow& op) {
  if (op.num_rows == 0 || op.dim == 0) return;
  if (op.segments.num_segments == 0) return device::zero(op.out, op.num_rows * op.dim, stream);
  device::launch(add_by_row_kernel, grid_of_warps(op.num_rows), stream, op);
}

// [num_segments, columns of x]
void sum_inputs(Stream& stream, const RelationSegments& segments, const RowSource& x, bool mean, float* sums) {
  sum_segments(stream, {.count = segments.num_segments,
                        .dim = x.dim(),
                        .indptr = segments.indptr,
                        .indices = segments.entries,
                        .x = x.contiguous(),
                        .mean = mean,
                        .out = sums});
}

}  // namespace

void relation_conv(Stream& stream, const RelationConv& op) {
  const RelationSegments& by_dst = op.by_dst;
  const int64_t in_dim = op.x.dim();
  const Array<float> sums(stream, by_dst.num_segments * in_dim), products(stream, by_dst.num_segments * op.out_dim);
  sum_inputs(stream, by_dst, op.x, op.mean, sums.data());
  multiply_segments(stream, {.segments = by_dst,
                             .a = sums.data(),
                             .by_row = false,
                             .weights = op.weights,
                             .transposed = false,
                             .by_length = false,
                             .k = in_dim,
                             .n = op.out_dim,
                             .c = products.data()});
  add_by_row(stream, {.segments = by_dst,
                      .first = nullptr,
                      .values = products.data(),
                      .num_rows = op.num_dst,
                      .dim = op.out_dim,
                      .out = op.out});
}

void relation_conv_grad(Stream& stream, const RelationConvGrad& op) {
  const RelationSegments& by_dst = op.by_dst;
  const int64_t in_dim = op.x.dim();
  const Array<float> sums(stream, by_dst.num_segments * in_dim);
  sum_inputs(stream, by_dst, op.x, op.mean, sums.data());
  relation_weight_gradients(stream, {.segments = by_dst,
                                     .sums = sums.data(),
                                     .dy = op.dy,
                                     .m = in_dim,
                                     .n = op.out_dim,
                                     .d_weights = op.d_weights});
  if (op.dx == nullptr) return;
  // The sums have been read: their gradients take their place.
  multiply_segments(stream, {.segments = by_dst,
                             .a = op.dy,
                             .by_row = true,
                             .weights = op.weights,
                             .transposed = true,
                             .by_length = op.mean,
                             .k = op.out_dim,
                             .n = in_dim,
                             .c = sums.data()});
  add_by_row(stream, {.segments = *op.by_src,
                      .first = by_dst.relations,
                      .values = sums.data(),
                      .num_rows = op.num_src,
                      .dim = in_dim,
                      .out = op.dx});
}

}  // namespace gnn::cuda
