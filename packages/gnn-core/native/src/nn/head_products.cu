#include "gnn/cuda/nn/head_products.h"

#include "gnn/device/array.h"
#include "gnn/device/tiles.h"

namespace gnn::cuda {
namespace {

using device::blocks_for;

// As HeadRows::terms, which is the host's.
template <typename Float>
__device__ inline int64_t num_terms(const HeadRows<Float>& rows) {
  return rows.groups * rows.dim;
}

template <typename Float>
__device__ inline Float& term_of(const HeadRows<Float>& rows, int64_t heads, int64_t row, int64_t head, int64_t term) {
  const int64_t group = term / rows.dim;
  return rows.data[((row * rows.groups + group) * heads + head) * rows.dim + term - group * rows.dim];
}

// As add_products of tiles.h, by fused multiply-adds.
__device__ inline void add_terms(const TileOf& of_a, const TileOf& of_b, OwnSums& sums) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  for (int d = 0; d < kDepth; ++d) {
    for (int i = 0; i < kOwn; ++i) {
      for (int j = 0; j < kOwn; ++j) {
        sums[i][j] = fmaf(of_a[d][y + i * kSide], of_b[d][x + j * kSide], sums[i][j]);
      }
    }
  }
}

struct Corner {
  int64_t head, row, column;
};

__device__ inline void load_tiles(const HeadProduct& op, const Corner& at, int64_t first, TileOf& of_a, TileOf& of_b) {
  const int64_t k = num_terms(op.a), n = num_terms(op.c);
  const float* weights = op.weights + at.head * k * n;
  for (int i = first_of_tile(); i < kTile * kDepth; i += kSide * kSide) {
    const int64_t row = at.row + i / kDepth, term = first + i % kDepth;
    of_a[i % kDepth][i / kDepth] = row < op.rows && term < k ? term_of(op.a, op.heads, row, at.head, term) : 0.0f;
    const int tb = op.transposed ? i / kDepth : i % kTile, db = op.transposed ? i % kDepth : i / kTile;
    const int64_t term_b = first + db, column = at.column + tb;
    const int64_t place = op.transposed ? column * k + term_b : term_b * n + column;
    of_b[db][tb] = term_b < k && column < n ? weights[place] : 0.0f;
  }
}

// A block per tile of a head's rows of C.
__global__ void __launch_bounds__(kSide * kSide) head_product_kernel(HeadProduct op) {
  DEVICE_SHARED(of_a, float, [kDepth][kTile + 1]);
  DEVICE_SHARED(of_b, float, [kDepth][kTile + 1]);
  const int64_t k = num_terms(op.a), n = num_terms(op.c), across = (n + kTile - 1) / kTile;
  const Corner at{blockIdx.y / across, static_cast<int64_t>(blockIdx.x) * kTile, blockIdx.y % across * kTile};
  OwnSums sums = {};
  for (int64_t first = 0; first < k; first += kDepth) {
    load_tiles(op, at, first, of_a, of_b);
    __syncthreads();
    add_terms(of_a, of_b, sums);
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = at.row + threadIdx.y + i * kSide, column = at.column + threadIdx.x + j * kSide;
      if (row < op.rows && column < n) term_of(op.c, op.heads, row, at.head, column) = sums[i][j];
    }
  }
}

// Parts of a gradient, one behind the other.
struct GradParts {
  HeadWeightGrad op;
  int64_t rows_of_part;
  float* out;  // [parts, heads, terms of a, terms of dc]
};

__device__ inline void load_tiles(const HeadWeightGrad& op, const Corner& at, int64_t first, int64_t end, TileOf& of_a,
                                  TileOf& of_b) {
  const int64_t m = num_terms(op.a), n = num_terms(op.dc);
  for (int i = first_of_tile(); i < kTile * kDepth; i += kSide * kSide) {
    const int64_t row = first + i / kTile, m_at = at.row + i % kTile, n_at = at.column + i % kTile;
    of_a[i / kTile][i % kTile] = row < end && m_at < m ? term_of(op.a, op.heads, row, at.head, m_at) : 0.0f;
    of_b[i / kTile][i % kTile] = row < end && n_at < n ? term_of(op.dc, op.heads, row, at.head, n_at) : 0.0f;
  }
}

// A block per tile of a head's gradient and part of the rows.
__global__ void __launch_bounds__(kSide * kSide) head_weight_grad_kernel(GradParts parts) {
  const HeadWeightGrad& op = parts.op;
  DEVICE_SHARED(of_a, float, [kDepth][kTile + 1]);
  DEVICE_SHARED(of_b, float, [kDepth][kTile + 1]);
  const int64_t m = num_terms(op.a), n = num_terms(op.dc);
  const int64_t down = (m + kTile - 1) / kTile, across = (n + kTile - 1) / kTile, tile = blockIdx.y % (down * across);
  const Corner at{blockIdx.y / (down * across), tile / across * kTile, tile % across * kTile};
  const int64_t begin = blockIdx.x * parts.rows_of_part, last = begin + parts.rows_of_part;
  const int64_t end = last < op.rows ? last : op.rows;
  OwnSums sums = {};
  for (int64_t first = begin; first < end; first += kDepth) {
    load_tiles(op, at, first, end, of_a, of_b);
    __syncthreads();
    add_terms(of_a, of_b, sums);
    __syncthreads();
  }
  float* out = parts.out + (blockIdx.x * op.heads + at.head) * m * n;
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = at.row + threadIdx.y + i * kSide, column = at.column + threadIdx.x + j * kSide;
      if (row < m && column < n) out[row * n + column] = sums[i][j];
    }
  }
}

// A thread per element.
__global__ void add_grad_parts_kernel(int64_t count, int64_t num_parts, const float* parts, float* out) {
  const int64_t i = thread_index();
  if (i >= count) return;
  float sum = 0.0f;
  for (int64_t part = 0; part < num_parts; ++part) sum += parts[part * count + i];
  out[i] = sum;
}

}  // namespace

void multiply_heads(Stream& stream, const HeadProduct& op) {
  if (op.rows == 0 || op.heads * op.c.terms() == 0) return;
  const unsigned across = blocks_for(op.c.terms(), kTile) * static_cast<unsigned>(op.heads);
  const device::Grid grid{dim3(blocks_for(op.rows, kTile), across), dim3(kSide, kSide)};
  device::launch(head_product_kernel, grid, stream, op);
}

void head_weight_gradients(Stream& stream, const HeadWeightGrad& op) {
  const int64_t count = op.heads * op.a.terms() * op.dc.terms(), num_parts = row_parts(op);
  if (count == 0) return;
  const unsigned tiles = blocks_for(op.a.terms(), kTile) * blocks_for(op.dc.terms(), kTile);
  const device::Grid grid{dim3(static_cast<unsigned>(num_parts), tiles * static_cast<unsigned>(op.heads)),
                          dim3(kSide, kSide)};
  const int64_t own = rows_of_part(op);
  if (num_parts == 1) return device::launch(head_weight_grad_kernel, grid, stream, GradParts{op, own, op.d_weights});
  const device::Array<float> parts(stream, num_parts * count);
  device::launch(head_weight_grad_kernel, grid, stream, GradParts{op, own, parts.data()});
  device::launch(add_grad_parts_kernel, device::grid_for(count), stream, count, num_parts, parts.data(), op.d_weights);
}

}  // namespace gnn::cuda
