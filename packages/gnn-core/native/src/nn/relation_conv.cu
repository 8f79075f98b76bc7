// Rows are summed by segment, multiplied by the weights of their relations in one kernel for all of them, and added up
// by row: as many kernels for fifty relations as for two.
#include "gnn/cuda/nn/relation_conv.h"

#include "gnn/cuda/sparse/segment_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/tiles.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

using device::Array;
using device::blocks_for;

// C_s = A_s op(W_r) for every segment s, of relation r
struct SegmentProduct {
  RelationSegments segments;
  const float* a;         // row s is that of segment s, or rows[s] is
  bool by_row;
  const float* weights;   // [num_relations, k, n], or [num_relations, n, k] transposed
  bool transposed;
  bool by_length;         // rows are divided by the lengths of their segments
  int64_t k, n;
  float* c;               // [num_segments, n]
};

struct TileOfRelation {
  int64_t relation, first, end;  // segments
};

// The tiles of a relation follow those of the one before it; behind the last there are some of none.
__device__ inline TileOfRelation find_tile(const RelationSegments& segments, int64_t tile) {
  for (int64_t r = 0; r < segments.num_relations; ++r) {
    const int64_t first = segments.relations[r], end = segments.relations[r + 1];
    const int64_t tiles = (end - first + kTile - 1) / kTile;
    if (tile < tiles) return {r, first + tile * kTile, end};
    tile -= tiles;
  }
  return {0, 0, 0};
}

__device__ inline float scale_of(const SegmentProduct& op, int64_t s) {
  if (!op.by_length) return 1.0f;
  return 1.0f / static_cast<float>(op.segments.indptr[s + 1] - op.segments.indptr[s]);
}

__device__ inline void load_tiles(const SegmentProduct& op, const TileOfRelation& at, int64_t column0, int64_t first,
                                  TileOf& of_a, TileOf& of_b) {
  const float* weights = op.weights + at.relation * op.k * op.n;
  for (int i = first_of_tile(); i < kTile * kDepth; i += kSide * kSide) {
    const int64_t s = at.first + i / kDepth, term = first + i % kDepth;
    const bool is_there = s < at.end && term < op.k;
    of_a[i % kDepth][i / kDepth] = is_there ? op.a[(op.by_row ? op.segments.rows[s] : s) * op.k + term] : 0.0f;
    const int tb = op.transposed ? i / kDepth : i % kTile, db = op.transposed ? i % kDepth : i / kTile;
    const int64_t row = first + db, column = column0 + tb;
    const int64_t place = op.transposed ? column * op.k + row : row * op.n + column;
    of_b[db][tb] = row < op.k && column < op.n ? weights[place] : 0.0f;
  }
}

// A block per tile of a relation's rows of C.
__global__ void __launch_bounds__(kSide * kSide) segment_product_kernel(SegmentProduct op) {
  DEVICE_SHARED(of_a, float, [kDepth][kTile + 1]);
  DEVICE_SHARED(of_b, float, [kDepth][kTile + 1]);
  const TileOfRelation at = find_tile(op.segments, blockIdx.x);
  if (at.first >= at.end) return;
  const int64_t column0 = static_cast<int64_t>(blockIdx.y) * kTile;
  OwnSums sums = {};
  for (int64_t first = 0; first < op.k; first += kDepth) {
    load_tiles(op, at, column0, first, of_a, of_b);
    __syncthreads();
    add_products(of_a, of_b, sums);
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t s = at.first + threadIdx.y + i * kSide, column = column0 + threadIdx.x + j * kSide;
      if (s < at.end && column < op.n) op.c[s * op.n + column] = sums[i][j] * scale_of(op, s);
    }
  }
}

void multiply_segments(Stream& stream, const SegmentProduct& op) {
  const RelationSegments& segments = op.segments;
  if (segments.num_segments == 0 || op.n == 0) return;
  // At most one tile of each relation is not full.
  const unsigned tiles = blocks_for(segments.num_segments, kTile) + static_cast<unsigned>(segments.num_relations);
  const device::Grid grid{dim3(tiles, blocks_for(op.n, kTile)), dim3(kSide, kSide)};
  device::launch(segment_product_kernel, grid, stream, op);
}

// dW_r = sum over the segments s of relation r of sums_s^T dy[rows[s]]
struct WeightGrad {
  RelationSegments segments;
  const float* sums;  // [num_segments, m]
  const float* dy;    // rows of n
  int64_t m, n;
  unsigned num_parts;
  float* out;  // [num_parts, num_relations, m, n]
};

__device__ inline void load_tiles(const WeightGrad& op, int64_t row0, int64_t column0, int64_t first, int64_t end,
                                  TileOf& of_a, TileOf& of_b) {
  for (int i = first_of_tile(); i < kTile * kDepth; i += kSide * kSide) {
    const int64_t s = first + i / kTile, row = row0 + i % kTile, column = column0 + i % kTile;
    of_a[i / kTile][i % kTile] = s < end && row < op.m ? op.sums[s * op.m + row] : 0.0f;
    of_b[i / kTile][i % kTile] = s < end && column < op.n ? op.dy[op.segments.rows[s] * op.n + column] : 0.0f;
  }
}

// A block per tile of a relation's gradient and part of its segments.
__global__ void __launch_bounds__(kSide * kSide) weight_grad_kernel(WeightGrad op) {
  DEVICE_SHARED(of_a, float, [kDepth][kTile + 1]);
  DEVICE_SHARED(of_b, float, [kDepth][kTile + 1]);
  const int64_t relation = blockIdx.x / op.num_parts, part = blockIdx.x % op.num_parts;
  const int64_t across = (op.n + kTile - 1) / kTile;
  const int64_t row0 = blockIdx.y / across * kTile, column0 = blockIdx.y % across * kTile;
  const int64_t begin = op.segments.relations[relation], end = op.segments.relations[relation + 1];
  const int64_t terms = (end - begin + op.num_parts - 1) / op.num_parts;
  const int64_t own = begin + part * terms, own_end = own + terms < end ? own + terms : end;
  OwnSums sums = {};
  for (int64_t first = own; first < own_end; first += kDepth) {
    load_tiles(op, row0, column0, first, own_end, of_a, of_b);
    __syncthreads();
    add_products(of_a, of_b, sums);
    __syncthreads();
  }
  float* out = op.out + (part * op.segments.num_relations + relation) * op.m * op.n;
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = row0 + threadIdx.y + i * kSide, column = column0 + threadIdx.x + j * kSide;
      if (row < op.m && column < op.n) out[row * op.n + column] = sums[i][j];
    }
  }
}

// A thread per element.
__global__ void add_weight_parts_kernel(int64_t count, unsigned num_parts, const float* parts, float* out) {
  const int64_t i = thread_index();
  if (i >= count) return;
  float sum = 0.0f;
  for (int64_t part = 0; part < num_parts; ++part) sum += parts[part * count + i];
  out[i] = sum;
}

void weight_gradients(Stream& stream, WeightGrad op, float* d_weights) {
  const int64_t relations = op.segments.num_relations, count = relations * op.m * op.n;
  if (count == 0) return;
  const unsigned tiles = blocks_for(op.m, kTile) * blocks_for(op.n, kTile);
  op.num_parts = cut_of(tiles * relations, op.segments.num_segments).parts;
  const device::Grid grid{dim3(static_cast<unsigned>(relations) * op.num_parts, tiles), dim3(kSide, kSide)};
  if (op.num_parts == 1) {
    op.out = d_weights;
    return device::launch(weight_grad_kernel, grid, stream, op);
  }
  const Array<float> parts(stream, op.num_parts * count);
  op.out = parts.data();
  device::launch(weight_grad_kernel, grid, stream, op);
  device::launch(add_weight_parts_kernel, device::grid_for(count), stream, count, op.num_parts, parts.data(),
                 d_weights);
}

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
  weight_gradients(stream,
                   {.segments = by_dst,
                    .sums = sums.data(),
                    .dy = op.dy,
                    .m = in_dim,
                    .n = op.out_dim,
                    .num_parts = 1,
                    .out = nullptr},
                   op.d_weights);
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
