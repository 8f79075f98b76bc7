// A product in float32 by tiles in shared memory: what the emulation runs, and GPUs without cuBLASLt.
#include "gnn/cuda/dense/sgemm.h"

#include "gnn/device/array.h"
#include "gnn/device/kernel.h"

namespace gnn::cuda {
namespace {

constexpr int kTile = 64;   // rows and columns of C that a block computes
constexpr int kDepth = 16;  // terms of the sum that are in shared memory at once
constexpr int kSide = 16;   // threads along each side; each computes kOwn x kOwn elements
constexpr int kOwn = kTile / kSide;

// op(matrix) [rows, columns] at a place, 0 outside.
__device__ inline float element(const float* matrix, bool is_transposed, int64_t row, int64_t column, int64_t rows,
                                int64_t columns) {
  if (row >= rows || column >= columns) return 0.0f;
  return matrix[is_transposed ? column * rows + row : row * columns + column];
}

__device__ inline void finish(const Sgemm& op, const Epilogue& epilogue, int64_t row, int64_t column, float sum) {
  float* to = op.c + row * op.n + column;
  if (op.beta != 0.0f) sum += op.beta * *to;
  if (epilogue.bias != nullptr) sum += epilogue.bias[column];
  *to = epilogue.with_relu && !(sum > 0.0f) ? 0.0f : sum;
}

// Fills the tiles with terms [first, first + kDepth) of the sum. Neighbouring threads read neighbouring addresses,
// however the matrices lie.
__device__ inline void load_tiles(const Sgemm& op, int64_t row0, int64_t column0, int64_t first, int64_t end,
                                  float (&of_a)[kDepth][kTile + 1], float (&of_b)[kDepth][kTile + 1]) {
  for (int i = threadIdx.y * kSide + threadIdx.x; i < kTile * kDepth; i += kSide * kSide) {
    const int ta = op.trans_a ? i % kTile : i / kDepth, da = op.trans_a ? i / kTile : i % kDepth;
    of_a[da][ta] = first + da < end ? element(op.a, op.trans_a, row0 + ta, first + da, op.m, op.k) : 0.0f;
    const int tb = op.trans_b ? i / kDepth : i % kTile, db = op.trans_b ? i % kDepth : i / kTile;
    of_b[db][tb] = first + db < end ? element(op.b, op.trans_b, first + db, column0 + tb, op.k, op.n) : 0.0f;
  }
}

// A block per tile of C and part of the sum; parts [gridDim.z, m, n] where there are several, else null.
__global__ void __launch_bounds__(kSide * kSide) sgemm_kernel(Sgemm op, Epilogue epilogue, int64_t per_part, float* parts) {
  DEVICE_SHARED(of_a, float, [kDepth][kTile + 1]);
  DEVICE_SHARED(of_b, float, [kDepth][kTile + 1]);
  const int64_t row0 = static_cast<int64_t>(blockIdx.y) * kTile, column0 = static_cast<int64_t>(blockIdx.x) * kTile;
  const int64_t begin = blockIdx.z * per_part, end = begin + per_part < op.k ? begin + per_part : op.k;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  float sums[kOwn][kOwn] = {};
  for (int64_t first = begin; first < end; first += kDepth) {
    load_tiles(op, row0, column0, first, end, of_a, of_b);
    __syncthreads();
    for (int d = 0; d < kDepth; ++d) {
      for (int i = 0; i < kOwn; ++i) {
        for (int j = 0; j < kOwn; ++j) sums[i][j] += of_a[d][y + i * kSide] * of_b[d][x + j * kSide];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = row0 + y + i * kSide, column = column0 + x + j * kSide;
      if (row >= op.m || column >= op.n) continue;
      if (parts == nullptr) {
        finish(op, epilogue, row, column, sums[i][j]);
      } else {
        parts[(blockIdx.z * op.m + row) * op.n + column] = sums[i][j];
      }
    }
  }
}

// A thread per element of C.
__global__ void add_products_kernel(Sgemm op, Epilogue epilogue, int64_t num_parts, const float* parts) {
  const int64_t i = thread_index(), size = op.m * op.n;
  if (i >= size) return;
  float sum = 0.0f;
  for (int64_t part = 0; part < num_parts; ++part) sum += parts[part * size + i];
  finish(op, epilogue, i / op.n, i % op.n, sum);
}

// Into how many parts the sum is cut, by the shape alone: enough blocks for a large GPU, and no part below 512 terms.
int64_t num_parts(int64_t tiles, int64_t k) {
  const int64_t wanted = 256 / tiles, possible = k / 512;
  const int64_t parts = wanted < possible ? wanted : possible;
  return parts < 1 ? 1 : parts;
}

}  // namespace

void sgemm(Stream& stream, const Sgemm& op, const Epilogue& epilogue) {
  if (op.m == 0 || op.n == 0) return;
  const unsigned across = device::blocks_for(op.n, kTile), down = device::blocks_for(op.m, kTile);
  const int64_t count = num_parts(int64_t{across} * down, op.k), per_part = (op.k + count - 1) / count;
  const device::Grid grid{dim3(across, down, static_cast<unsigned>(count)), dim3(kSide, kSide)};
  if (count == 1) return device::launch(sgemm_kernel, grid, stream, op, epilogue, op.k, nullptr);
  const device::Array<float> parts(stream, count * op.m * op.n);
  device::launch(sgemm_kernel, grid, stream, op, epilogue, per_part, parts.data());
  device::launch(add_products_kernel, device::grid_for(op.m * op.n), stream, op, epilogue, count, parts.data());
}

}  // namespace gnn::cuda
