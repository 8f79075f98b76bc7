#include "gnn/cuda/nn/relation_products.h"

#include "gnn/device/array.h"
#include "gnn/device/tiles.h"

namespace gnn::cuda {
namespace {

using device::blocks_for;

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
                                  WideTile::OfA& of_a, WideTile::OfB& of_b) {
  const float* weights = op.weights + at.relation * op.k * op.n;
  for (int i = WideTile::thread(); i < kTile * kDepth; i += WideTile::kThreads) {
    const int64_t s = at.first + i / kDepth, term = first + i % kDepth;
    const bool is_there = s < at.end && term < op.k;
    at_row(of_a[i % kDepth], i / kDepth) = is_there ? op.a[(op.by_row ? op.segments.rows[s] : s) * op.k + term] : 0.0f;
    const int tb = op.transposed ? i / kDepth : i % kTile, db = op.transposed ? i % kDepth : i / kTile;
    const int64_t row = first + db, column = column0 + tb;
    const int64_t place = op.transposed ? column * op.k + row : row * op.n + column;
    of_b[db][tb] = row < op.k && column < op.n ? weights[place] : 0.0f;
  }
}

// A block per tile of a relation's rows of C.
__global__ void __launch_bounds__(WideTile::kThreads) segment_product_kernel(SegmentProduct op) {
  DEVICE_TILES(WideTile);
  const TileOfRelation at = find_tile(op.segments, blockIdx.x);
  if (at.first >= at.end) return;
  const int64_t column0 = static_cast<int64_t>(blockIdx.y) * kTile;
  OwnSums sums = {};
  for (int64_t first = 0; first < op.k; first += kDepth) {
    load_tiles(op, at, column0, first, of_a, of_b);
    __syncthreads();
    add_products<WideTile>(of_a, of_b, sums);
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t s = at.first + WideTile::own_row(i), column = column0 + WideTile::own_column(j);
      if (s < at.end && column < op.n) op.c[s * op.n + column] = sums[i][j] * scale_of(op, s);
    }
  }
}

}  // namespace

void multiply_segments(Stream& stream, const SegmentProduct& op) {
  const RelationSegments& segments = op.segments;
  if (segments.num_segments == 0 || op.n == 0) return;
  // At most one tile of each relation is not full.
  const unsigned tiles = blocks_for(segments.num_segments, kTile) + static_cast<unsigned>(segments.num_relations);
  device::launch(segment_product_kernel, WideTile::grid(dim3(tiles, blocks_for(op.n, kTile))), stream, op);
}

namespace {

// Blocks read rows more than they multiply: several on each multiprocessor hide how long that takes.
constexpr int64_t kBlocks = 1024;

// Parts of such a sum, one behind the other.
struct WeightParts {
  RelationWeightGrad op;
  unsigned num_parts;
  float* out;  // [num_parts, num_relations, m, n]
};

__device__ inline void load_tiles(const RelationWeightGrad& op, int64_t row0, int64_t column0, int64_t first,
                                  int64_t end, WideTile::OfA& of_a, WideTile::OfB& of_b) {
  for (int i = WideTile::thread(); i < kTile * kDepth; i += WideTile::kThreads) {
    const int64_t s = first + i / kTile, row = row0 + i % kTile, column = column0 + i % kTile;
    at_row(of_a[i / kTile], i % kTile) = s < end && row < op.m ? op.sums[s * op.m + row] : 0.0f;
    of_b[i / kTile][i % kTile] = s < end && column < op.n ? op.dy[op.segments.rows[s] * op.n + column] : 0.0f;
  }
}

// A block per tile of a relation's gradient and part of its segments.
__global__ void __launch_bounds__(WideTile::kThreads) weight_grad_kernel(WeightParts parts) {
  const RelationWeightGrad& op = parts.op;
  DEVICE_TILES(WideTile);
  const int64_t relation = blockIdx.x / parts.num_parts, part = blockIdx.x % parts.num_parts;
  const int64_t across = (op.n + kTile - 1) / kTile;
  const int64_t row0 = blockIdx.y / across * kTile, column0 = blockIdx.y % across * kTile;
  const int64_t begin = op.segments.relations[relation], end = op.segments.relations[relation + 1];
  const int64_t terms = (end - begin + parts.num_parts - 1) / parts.num_parts;
  const int64_t own = begin + part * terms, own_end = own + terms < end ? own + terms : end;
  OwnSums sums = {};
  for (int64_t first = own; first < own_end; first += kDepth) {
    load_tiles(op, row0, column0, first, own_end, of_a, of_b);
    __syncthreads();
    add_products<WideTile>(of_a, of_b, sums);
    __syncthreads();
  }
  float* out = parts.out + (part * op.segments.num_relations + relation) * op.m * op.n;
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = row0 + WideTile::own_row(i), column = column0 + WideTile::own_column(j);
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

}  // namespace

void relation_weight_gradients(Stream& stream, const RelationWeightGrad& op) {
  const int64_t relations = op.segments.num_relations, count = relations * op.m * op.n;
  if (count == 0) return;
  const unsigned tiles = blocks_for(op.m, kTile) * blocks_for(op.n, kTile);
  const unsigned num_parts = cut_of(tiles * relations, op.segments.num_segments, kBlocks).parts;
  const device::Grid grid = WideTile::grid(dim3(static_cast<unsigned>(relations) * num_parts, tiles));
  if (num_parts == 1) return device::launch(weight_grad_kernel, grid, stream, WeightParts{op, 1, op.d_weights});
  const device::Array<float> parts(stream, num_parts * count);
  device::launch(weight_grad_kernel, grid, stream, WeightParts{op, num_parts, parts.data()});
  device::launch(add_weight_parts_kernel, device::grid_for(count), stream, count, num_parts, parts.data(),
                 op.d_weights);
}

}  // namespace gnn::cuda
