#pragma once
// Where the rows of a batch lie for a rank that holds a range of them: its own, then cached ones, then those to fetch.
#include <cstdint>
#include <vector>

namespace gnn {

struct OwnRows {
  int32_t first;
  int32_t count;
  const int32_t* slots;  // [num_rows] place among the cached rows, -1: not cached; null: nothing is cached
  int32_t num_cached;
  int32_t num_rows;  // of all ranks
};

struct PlacedRows {
  // Per id: own row, count + slot, or count + num_cached + its place in `remote`
  std::vector<int32_t> rows;
  std::vector<int32_t> remote;  // ids to fetch, in their order, as often as named
};

// Throws SHAPE_MISMATCH for an id outside [0, num_rows).
PlacedRows place_rows(const OwnRows& own, const int32_t* ids, int64_t count);

struct CountedRows {
  int64_t own, cached;
};

// How many of the ids are of own rows, and how many of the others of cached ones.
CountedRows count_rows(const OwnRows& own, const int32_t* ids, int64_t count);

// Position of the first id outside [0, num_rows), -1 without any.
int64_t first_outside(int32_t num_rows, const int32_t* ids, int64_t count);

}  // namespace gnn
