#pragma once
// Products of matrices by tiles in shared memory: a block computes a tile of C, its threads side by side in both
// directions, by parts of the sum that lie in shared memory one after the other.
#include "gnn/device/kernel.h"

namespace gnn::cuda {

constexpr int kTile = 64;   // rows and columns of C that a block computes
constexpr int kDepth = 16;  // terms of the sum that are in shared memory at once
constexpr int kSide = 16;   // threads along each side; each computes kOwn x kOwn elements
constexpr int kOwn = kTile / kSide;

// By term of the sum; padded, so that a column of terms is in different banks.
using TileOf = float[kDepth][kTile + 1];
using OwnSums = float[kOwn][kOwn];

// Adds what the tiles have to this thread's elements: row y + i kSide, column x + j kSide of the tile.
__device__ inline void add_products(const TileOf& of_a, const TileOf& of_b, OwnSums& sums) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  for (int d = 0; d < kDepth; ++d) {
    for (int i = 0; i < kOwn; ++i) {
      for (int j = 0; j < kOwn; ++j) sums[i][j] += of_a[d][y + i * kSide] * of_b[d][x + j * kSide];
    }
  }
}

// Which of the elements that a tile is filled with are this thread's: `kTile * kDepth` in turn.
__device__ inline int first_of_tile() { return static_cast<int>(threadIdx.y * kSide + threadIdx.x); }

// Into how many parts a sum is cut, each of so many terms.
struct Cut {
  unsigned parts;
  int64_t terms;
};
// By the shape alone: enough blocks for a large GPU, and no part below 512 terms.
inline Cut cut_of(int64_t tiles, int64_t terms) {
  const int64_t wanted = 256 / tiles, possible = terms / 512, least = wanted < possible ? wanted : possible;
  const int64_t parts = least < 1 ? 1 : least;
  return {static_cast<unsigned>(parts), (terms + parts - 1) / parts};
}

}  // namespace gnn::cuda
