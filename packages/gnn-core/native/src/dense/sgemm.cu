// Products by cuBLASLt or, where it is not there, in float32 by tiles in shared memory: what the emulation runs.
#include "gnn/cuda/dense/sgemm.h"

#include "gnn/device/array.h"
#include "gnn/device/products.h"
#include "gnn/device/tiles.h"

namespace gnn::cuda {
namespace {

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
                                  WideTile::OfA& of_a, WideTile::OfB& of_b) {
  for (int i = WideTile::thread(); i < kTile * kDepth; i += WideTile::kThreads) {
    const int ta = op.trans_a ? i % kTile : i / kDepth, da = op.trans_a ? i / kTile : i % kDepth;
    at_row(of_a[da], ta) = first + da < end ? element(op.a, op.trans_a, row0 + ta, first + da, op.m, op.k) : 0.0f;
    const int tb = op.trans_b ? i / kDepth : i % kTile, db = op.trans_b ? i % kDepth : i / kTile;
    of_b[db][tb] = first + db < end ? element(op.b, op.trans_b, first + db, column0 + tb, op.k, op.n) : 0.0f;
  }
}

// A block per tile of C and part of the sum, those of a second product behind those of the first; parts [gridDim.z, m,
// n] where there are several, else null.
__global__ void __launch_bounds__(WideTile::kThreads)
    sgemm_kernel(Sgemm op, SecondProduct second, Epilogue epilogue, Cut cut, float* parts) {
  DEVICE_TILES(WideTile);
  const int64_t row0 = static_cast<int64_t>(blockIdx.x) * kTile, column0 = static_cast<int64_t>(blockIdx.y) * kTile;
  const int64_t begin = blockIdx.z % cut.parts * cut.terms, end = begin + cut.terms < op.k ? begin + cut.terms : op.k;
  if (blockIdx.z >= cut.parts) op.a = second.a, op.b = second.b, op.c = second.c;
  OwnSums sums = {};
  for (int64_t first = begin; first < end; first += kDepth) {
    load_tiles(op, row0, column0, first, end, of_a, of_b);
    __syncthreads();
    add_products<WideTile>(of_a, of_b, sums);
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int64_t row = row0 + WideTile::own_row(i), column = column0 + WideTile::own_column(j);
      if (row >= op.m || column >= op.n) continue;
      if (parts == nullptr) {
        finish(op, epilogue, row, column, sums[i][j]);
      } else {
        parts[(blockIdx.z * op.m + row) * op.n + column] = sums[i][j];
      }
    }
  }
}

// A thread per element of C, those of a second product behind those of the first.
__global__ void add_products_kernel(Sgemm op, SecondProduct second, Epilogue epilogue, unsigned num_parts,
                                    const float* parts) {
  const int64_t size = op.m * op.n;
  int64_t i = thread_index();
  if (i >= (second.c == nullptr ? size : 2 * size)) return;
  if (i >= size) i -= size, op.c = second.c, parts += num_parts * size;
  float sum = 0.0f;
  for (int64_t part = 0; part < num_parts; ++part) sum += parts[part * size + i];
  finish(op, epilogue, i / op.n, i % op.n, sum);
}

void multiply_tiles(Stream& stream, const Sgemm& op, const SecondProduct& second, const Epilogue& epilogue) {
  const unsigned across = device::blocks_for(op.n, kTile), down = device::blocks_for(op.m, kTile);
  const Cut cut = cut_of(int64_t{across} * down, op.k);
  const unsigned deep = second.c == nullptr ? cut.parts : 2 * cut.parts;
  // Rows are along x, where a grid may be longest: a graph's nodes are more than 65535 tiles.
  const device::Grid grid = WideTile::grid(dim3(down, across, deep));
  if (cut.parts == 1) return device::launch(sgemm_kernel, grid, stream, op, second, epilogue, cut, nullptr);
  const device::Array<float> parts(stream, deep * op.m * op.n);
  device::launch(sgemm_kernel, grid, stream, op, second, epilogue, cut, parts.data());
  const int64_t size = second.c == nullptr ? op.m * op.n : 2 * op.m * op.n;
  device::launch(add_products_kernel, device::grid_for(size), stream, op, second, epilogue, cut.parts, parts.data());
}

}  // namespace

void sgemm(Stream& stream, const Sgemm& op, const Epilogue& epilogue) {
  if (op.m == 0 || op.n == 0) return;
  device::Products* const library = device::products();
  if (library != nullptr && library->multiply(stream, op, epilogue, stream.precision())) return;
  multiply_tiles(stream, op, {}, epilogue);
}

void sgemm_pair(Stream& stream, const Sgemm& op, const SecondProduct& second) {
  if (op.m == 0 || op.n == 0) return;
  if (device::products() == nullptr) return multiply_tiles(stream, op, second, {});
  Sgemm other = op;
  other.a = second.a, other.b = second.b, other.c = second.c;
  sgemm(stream, op);
  sgemm(stream, other);
}

}  // namespace gnn::cuda
