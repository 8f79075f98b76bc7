#include "gnn/cuda/nn/head_products.h"

#include "gnn/device/array.h"
#include "gnn/device/tiles.h"

namespace gnn::cuda {
namespace {

using device::blocks_for;

// Rows of heads as the kernels walk them: term t of a head in row v is at v * stride + place(head, t).
template <typename Float>
struct Terms {
  __device__ Terms(const HeadRows<Float>& rows, int64_t heads)
      : heads(heads), dim(static_cast<uint32_t>(rows.dim)), stride(rows.groups * heads * rows.dim) {}
  __device__ int64_t place(int64_t head, int64_t term) const {
    const uint32_t group = static_cast<uint32_t>(term) / dim;
    return (group * heads + head) * dim + static_cast<uint32_t>(term) - group * dim;
  }
  int64_t heads;
  uint32_t dim;
  int64_t stride;
};

// As HeadRows::terms, which is the host's.
template <typename Float>
__device__ inline int64_t num_terms(const HeadRows<Float>& rows) {
  return rows.groups * rows.dim;
}

struct Corner {
  int64_t head, row, column;
};

// The terms from `first` on. A thread has one term in all rows of A, so that it finds its place once.
template <typename TileType>
__device__ inline void load_tiles(const HeadProduct& op, const Corner& at, int64_t first,
                                  typename TileType::OfA& of_a, typename TileType::OfB& of_b) {
  static_assert(TileType::kThreads % kDepth == 0);
  const int64_t k = num_terms(op.a), n = num_terms(op.c);
  const Terms terms(op.a, op.heads);
  const int d = TileType::thread() % kDepth;
  const bool is_term = first + d < k;
  const float* const a = op.a.data + (is_term ? terms.place(at.head, first + d) : 0);
  for (int i = TileType::thread() / kDepth; i < TileType::kRows; i += TileType::kThreads / kDepth) {
    at_row(of_a[d], i) = is_term && at.row + i < op.rows ? a[(at.row + i) * terms.stride] : 0.0f;
  }
  const float* const weights = op.weights + at.head * k * n;
  for (int i = TileType::thread(); i < TileType::kColumns * kDepth; i += TileType::kThreads) {
    const int tb = op.transposed ? i / kDepth : i % TileType::kColumns;
    const int db = op.transposed ? i % kDepth : i / TileType::kColumns;
    const int64_t term = first + db, column = at.column + tb;
    const int64_t place = op.transposed ? column * k + term : term * n + column;
    of_b[db][tb] = term < k && column < n ? weights[place] : 0.0f;
  }
}

// A block per tile of a head's rows of C.
template <typename TileType>
__global__ void __launch_bounds__(TileType::kThreads) head_product_kernel(HeadProduct op) {
  DEVICE_TILES(TileType);
  const int64_t k = num_terms(op.a), n = num_terms(op.c), across = (n + TileType::kColumns - 1) / TileType::kColumns;
  const Corner at{blockIdx.y / across, static_cast<int64_t>(blockIdx.x) * TileType::kRows,
                  blockIdx.y % across * TileType::kColumns};
  OwnSums sums = {};
  for (int64_t first = 0; first < k; first += kDepth) {
    load_tiles<TileType>(op, at, first, of_a, of_b);
    __syncthreads();
    add_products<TileType, true>(of_a, of_b, sums);
    __syncthreads();
  }
  const Terms terms(op.c, op.heads);
  for (int j = 0; j < kOwn; ++j) {
    const int64_t column = at.column + TileType::own_column(j);
    if (column >= n) continue;
    float* const c = op.c.data + terms.place(at.head, column);
    for (int i = 0; i < kOwn; ++i) {
      const int64_t row = at.row + TileType::own_row(i);
      if (row < op.rows) c[row * terms.stride] = sums[i][j];
    }
  }
}

// Parts of a gradient, one behind the other.
struct GradParts {
  HeadWeightGrad op;
  int64_t rows_of_part;
  float* out;  // [parts, heads, terms of a, terms of dc]
};

// `count` terms of rows [first, end) by `put(row - first, term - begin, value)`, whose threads have one term each.
template <int kCount, int kThreads, typename Put>
__device__ inline void read_rows(const HeadRows<const float>& rows, int64_t heads, int64_t head, int64_t begin,
                                 int64_t first, int64_t end, int thread, const Put& put) {
  static_assert(kThreads % kCount == 0);
  const Terms terms(rows, heads);
  const int t = thread % kCount;
  const bool is_term = begin + t < num_terms(rows);
  const float* const from = rows.data + (is_term ? terms.place(head, begin + t) : 0);
  for (int d = thread / kCount; d < kDepth; d += kThreads / kCount) {
    put(d, t, is_term && first + d < end ? from[(first + d) * terms.stride] : 0.0f);
  }
}

// A block per tile of a head's gradient and part of the rows.
template <typename TileType>
__global__ void __launch_bounds__(TileType::kThreads) head_weight_grad_kernel(GradParts parts) {
  const HeadWeightGrad& op = parts.op;
  DEVICE_TILES(TileType);
  constexpr int kRows = TileType::kRows, kColumns = TileType::kColumns, kThreads = TileType::kThreads;
  const int64_t m = num_terms(op.a), n = num_terms(op.dc);
  const int64_t down = (m + kRows - 1) / kRows, across = (n + kColumns - 1) / kColumns;
  const int64_t tile = blockIdx.y % (down * across);
  const Corner at{blockIdx.y / (down * across), tile / across * kRows, tile % across * kColumns};
  const int64_t begin = blockIdx.x * parts.rows_of_part, last = begin + parts.rows_of_part;
  const int64_t end = last < op.rows ? last : op.rows;
  OwnSums sums = {};
  for (int64_t first = begin; first < end; first += kDepth) {
    read_rows<kRows, kThreads>(op.a, op.heads, at.head, at.row, first, end, TileType::thread(),
                               [&](int d, int t, float value) { at_row(of_a[d], t) = value; });
    read_rows<kColumns, kThreads>(op.dc, op.heads, at.head, at.column, first, end, TileType::thread(),
                                  [&](int d, int t, float value) { of_b[d][t] = value; });
    __syncthreads();
    add_products<TileType, true>(of_a, of_b, sums);
    __syncthreads();
  }
  float* out = parts.out + (blockIdx.x * op.heads + at.head) * m * n;
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = at.row + TileType::own_row(i), column = at.column + TileType::own_column(j);
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

template <typename TileType>
void launch_product(Stream& stream, const HeadProduct& op) {
  const unsigned across = blocks_for(op.c.terms(), TileType::kColumns) * static_cast<unsigned>(op.heads);
  device::launch(head_product_kernel<TileType>, TileType::grid(dim3(blocks_for(op.rows, TileType::kRows), across)),
                 stream, op);
}

template <typename TileType>
void launch_grad(Stream& stream, const GradParts& parts) {
  const HeadWeightGrad& op = parts.op;
  const unsigned tiles = blocks_for(op.a.terms(), TileType::kRows) * blocks_for(op.dc.terms(), TileType::kColumns);
  const dim3 blocks(static_cast<unsigned>(row_parts(op)), tiles * static_cast<unsigned>(op.heads));
  device::launch(head_weight_grad_kernel<TileType>, TileType::grid(blocks), stream, parts);
}

// The columns of heads are few as a rule: half of a wide tile would be empty.
using NarrowTile = Tile<8, 16>;
using SmallTile = Tile<8, 8>;

void launch_grad_of_size(Stream& stream, const GradParts& parts) {
  const HeadWeightGrad& op = parts.op;
  const bool is_small = op.a.terms() <= SmallTile::kRows && op.dc.terms() <= SmallTile::kColumns;
  (is_small ? launch_grad<SmallTile> : launch_grad<WideTile>)(stream, parts);
}

}  // namespace

void multiply_heads(Stream& stream, const HeadProduct& op) {
  if (op.rows == 0 || op.heads * op.c.terms() == 0) return;
  (op.c.terms() <= NarrowTile::kColumns ? launch_product<NarrowTile> : launch_product<WideTile>)(stream, op);
}

void head_weight_gradients(Stream& stream, const HeadWeightGrad& op) {
  const int64_t count = op.heads * op.a.terms() * op.dc.terms(), num_parts = row_parts(op);
  if (count == 0) return;
  const int64_t own = rows_of_part(op);
  if (num_parts == 1) return launch_grad_of_size(stream, {op, own, op.d_weights});
  const device::Array<float> parts(stream, num_parts * count);
  launch_grad_of_size(stream, {op, own, parts.data()});
  device::launch(add_grad_parts_kernel, device::grid_for(count), stream, count, num_parts, parts.data(), op.d_weights);
}

}  // namespace gnn::cuda
