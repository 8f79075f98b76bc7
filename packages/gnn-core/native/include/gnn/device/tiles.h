#pragma once
// Products of matrices by tiles in shared memory: a block computes a tile of C, its threads side by side in both
// directions, by parts of the sum that lie in shared memory one after the other.
#include "gnn/device/kernel.h"

namespace gnn::cuda {

constexpr int kDepth = 16;  // terms of the sum that are in shared memory at once
constexpr int kOwn = 4;     // each thread computes kOwn x kOwn elements of C

// What a block of kX threads across and kY down computes of C. A thread has kOwn rows that follow each other, and
// columns kX apart, so that threads side by side write side by side.
template <int kX, int kY>
struct Tile {
  static constexpr int kAcross = kX, kDown = kY, kThreads = kX * kY;
  static constexpr int kRows = kOwn * kY, kColumns = kOwn * kX;
  // By term of the sum; padded, so that a column of terms is in different banks.
  using OfA = float4[kDepth][kRows / 4 + 1];
  using OfB = float[kDepth][kColumns + 1];

  static device::Grid grid(dim3 blocks) { return {blocks, dim3(kX, kY)}; }
  __device__ static int thread() { return static_cast<int>(threadIdx.y * kX + threadIdx.x); }
  __device__ static int own_row(int i) { return static_cast<int>(threadIdx.y) * kOwn + i; }
  __device__ static int own_column(int j) { return static_cast<int>(threadIdx.x) + j * kX; }
};
using WideTile = Tile<16, 16>;
constexpr int kTile = WideTile::kRows;  // rows and columns of a wide tile
static_assert(WideTile::kColumns == kTile);

#define DEVICE_TILES(TileType)                                     \
  DEVICE_SHARED(of_a, float4, [kDepth][TileType::kRows / 4 + 1]); \
  DEVICE_SHARED(of_b, float, [kDepth][TileType::kColumns + 1])

// The element of a tile of A at a term and row.
__device__ inline float& at_row(float4* term, int row) { return reinterpret_cast<float*>(term)[row]; }

using OwnSums = float[kOwn][kOwn];

// Adds what the tiles have to this thread's elements; fused: by one rounding each, wherever it is compiled.
template <typename TileType, bool kFused = false>
__device__ inline void add_products(const typename TileType::OfA& of_a, const typename TileType::OfB& of_b,
                                    OwnSums& sums) {
  for (int d = 0; d < kDepth; ++d) {
    const float4 rows = of_a[d][threadIdx.y];
    const float a[kOwn] = {rows.x, rows.y, rows.z, rows.w};
    for (int j = 0; j < kOwn; ++j) {
      const float b = of_b[d][TileType::own_column(j)];
      for (int i = 0; i < kOwn; ++i) {
        if constexpr (kFused) sums[i][j] = fmaf(a[i], b, sums[i][j]);
        else sums[i][j] += a[i] * b;
      }
    }
  }
}

// Into how many parts a sum is cut, each of so many terms.
struct Cut {
  unsigned parts;
  int64_t terms;
};
// By the shape alone: enough blocks for a large GPU, and no part below 512 terms.
inline Cut cut_of(int64_t tiles, int64_t terms, int64_t most_blocks = 256) {
  const int64_t wanted = most_blocks / tiles, possible = terms / 512, least = wanted < possible ? wanted : possible;
  const int64_t parts = least < 1 ? 1 : least;
  return {static_cast<unsigned>(parts), (terms + parts - 1) / parts};
}

}  // namespace gnn::cuda
