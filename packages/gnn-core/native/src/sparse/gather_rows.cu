#include "gnn/cuda/sparse/gather_rows.h"

#include <algorithm>

#include "gnn/cuda/sampling/reverse_edges.h"
#include "gnn/cuda/sparse/segment_sum.h"
#include "gnn/device/array.h"
#include "gnn/device/columns.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

struct MovedRows {
  int64_t num_rows;
  int64_t dim;
  const float* x;
  const int32_t* rows;
  float* out;
};

// Rows that a group of lanes reads before it writes the first: their reads are under way together.
constexpr int kRowsAhead = 4;

// A group of lanes, side by side in the columns, copies some rows: kFrom reads those that are named, else it writes
// there.
template <bool kFrom, int kWidth>
__global__ void __launch_bounds__(kRowWarps * 32) move_rows_kernel(MovedRows op, int lanes) {
  const int64_t first = group_index(lanes) * kRowsAhead;
  const int count = static_cast<int>(min(static_cast<int64_t>(kRowsAhead), op.num_rows - first));
  int64_t named[kRowsAhead];
#pragma unroll
  for (int k = 0; k < kRowsAhead; ++k) named[k] = k < count ? op.rows[first + k] : 0;
  for (int64_t d = lane_of_group(lanes) * kWidth; d < op.dim; d += lanes * kWidth) {
    Columns<kWidth> columns[kRowsAhead];
#pragma unroll
    for (int k = 0; k < kRowsAhead; ++k) {
      if (k < count) columns[k] = Columns<kWidth>::load(op.x + (kFrom ? named[k] : first + k) * op.dim + d);
    }
#pragma unroll
    for (int k = 0; k < kRowsAhead; ++k) {
      if (k < count) columns[k].store(op.out + (kFrom ? first + k : named[k]) * op.dim + d);
    }
  }
}

template <bool kFrom, int kWidth>
void move_columns(Stream& stream, const MovedRows& op) {
  const int lanes = group_size((op.dim + kWidth - 1) / kWidth);
  const auto grid = grid_of_groups((op.num_rows + kRowsAhead - 1) / kRowsAhead, lanes);
  device::launch(move_rows_kernel<kFrom, kWidth>, grid, stream, op, lanes);
}

template <bool kFrom>
void move_rows(Stream& stream, const MovedRows& op) {
  if (op.num_rows == 0 || op.dim == 0) return;
  if (is_wide(op.dim, {op.x, op.out})) move_columns<kFrom, 4>(stream, op);
  else move_columns<kFrom, 1>(stream, op);
}

// A warp adds a row.
__global__ void scatter_add_kernel(ScatterAddRows op) {
  const int64_t i = warp_index();
  if (i >= op.num_rows) return;
  float* to = op.out + op.rows[i] * op.dim;
  for (int64_t d = lane_index(); d < op.dim; d += 32) atomicAdd(to + d, op.dy[i * op.dim + d]);
}

// So few rows have room in shared memory, once for each warp of a block.
constexpr int kFewRows = 64;
constexpr int kPartWarps = 4;
// No warp has a shorter part of the list, unless the list is shorter; and there are at most so many blocks.
constexpr int64_t kPartRows = 256, kMostParts = 256;

// Parts of a sum into few rows, one behind the other.
struct ScatterParts {
  ScatterAddRows op;
  int64_t rows_of_warp;
  float* out;  // [parts, num_out, dim]
};

// A block per part of the list and 32 columns, a column per lane: each warp adds up its part of that in its own copy of
// the rows, and the copies are added in the order of the warps.
__global__ void __launch_bounds__(kPartWarps * 32) scatter_parts_kernel(ScatterParts parts) {
  DEVICE_SHARED(sums, float, [kPartWarps][kFewRows][32]);
  const ScatterAddRows& op = parts.op;
  const int lane = lane_index(), warp = static_cast<int>(threadIdx.x) / 32;
  const int64_t column = static_cast<int64_t>(blockIdx.y) * 32 + lane;
  for (int64_t row = 0; row < op.num_out; ++row) sums[warp][row][lane] = 0.0f;
  const int64_t first = (static_cast<int64_t>(blockIdx.x) * kPartWarps + warp) * parts.rows_of_warp;
  const int64_t end = min(first + parts.rows_of_warp, op.num_rows);
  for (int64_t i = first; i < end && column < op.dim; ++i) sums[warp][op.rows[i]][lane] += op.dy[i * op.dim + column];
  __syncthreads();
  if (column >= op.dim) return;
  for (int64_t row = warp; row < op.num_out; row += kPartWarps) {
    float sum = sums[0][row][lane];
    for (int other = 1; other < kPartWarps; ++other) sum += sums[other][row][lane];
    parts.out[(blockIdx.x * op.num_out + row) * op.dim + column] = sum;
  }
}

// A thread per element.
__global__ void add_scatter_parts_kernel(int64_t count, int64_t num_parts, const float* parts, float* out) {
  const int64_t i = thread_index();
  if (i >= count) return;
  float sum = 0.0f;
  for (int64_t part = 0; part < num_parts; ++part) sum += parts[part * count + i];
  out[i] = sum;
}

void add_into_few(Stream& stream, const ScatterAddRows& op) {
  const int64_t num_parts = std::clamp<int64_t>(op.num_rows / (kPartRows * kPartWarps), 1, kMostParts);
  const int64_t warps = num_parts * kPartWarps, of_warp = std::max(kPartRows, (op.num_rows + warps - 1) / warps);
  const device::Grid grid{dim3(static_cast<unsigned>(num_parts), device::blocks_for(op.dim, 32)), kPartWarps * 32};
  if (num_parts == 1) return device::launch(scatter_parts_kernel, grid, stream, ScatterParts{op, of_warp, op.out});
  const int64_t count = op.num_out * op.dim;
  const device::Array<float> parts(stream, num_parts * count);
  device::launch(scatter_parts_kernel, grid, stream, ScatterParts{op, of_warp, parts.data()});
  device::launch(add_scatter_parts_kernel, device::grid_for(count), stream, count, num_parts, parts.data(), op.out);
}

void add_sorted(Stream& stream, const ScatterAddRows& op) {
  const device::Array<int32_t> indptr(stream, op.num_out + 1), order(stream, op.num_rows), places(stream, op.num_rows);
  const BlockView list{op.num_out, op.num_rows, op.num_rows, nullptr, op.rows};
  reverse_edges(stream, list, {indptr.data(), order.data(), places.data()});
  sum_segments(stream, {.count = op.num_out,
                        .dim = op.dim,
                        .indptr = indptr.data(),
                        .indices = order.data(),
                        .x = op.dy,
                        .out = op.out});
}

}  // namespace

void gather_rows(Stream& stream, int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  move_rows<true>(stream, {num_rows, dim, x, rows, out});
}

void put_rows(Stream& stream, int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  move_rows<false>(stream, {num_rows, dim, x, rows, out});
}

void scatter_add_rows(Stream& stream, const ScatterAddRows& op) {
  if (op.num_out == 0 || op.dim == 0) return;
  if (op.num_rows == 0) return device::zero(op.out, op.num_out * op.dim, stream);
  if (op.num_out <= kFewRows) add_into_few(stream, op);
  else add_sorted(stream, op);
}

void scatter_add_rows_atomic(Stream& stream, const ScatterAddRows& op) {
  device::zero(op.out, op.num_out * op.dim, stream);
  if (op.num_rows == 0) return;
  device::launch(scatter_add_kernel, grid_of_warps(op.num_rows), stream, op);
}

}  // namespace gnn::cuda
