#pragma once
// The hash table from integers to positions whose arrays src/io/ingest/integer-table.ts holds, for whole columns.
#include <array>
#include <cstdint>
#include <vector>

namespace gnn {

// Keys in [0, direct_size) lie in `direct`, unless they were added before it reached them; the others in `keys` and
// `slots` (open addressing, a power of two). A slot is position + 1; 0 = free.
struct IntegerTable {
  int32_t* direct;
  int64_t direct_size;
  double* keys;
  int32_t* slots;
  int64_t num_slots;
  std::array<int32_t, 2> salt{};  // of the hash
};

// Positions of both ends of each row, in row order, src before dst; -1 for a key that is not there.
struct RelabelPairs {
  IntegerTable table;   // with room for 2 * rows keys where some are added
  const double* src;    // [rows]
  const double* dst;    // [rows]
  int64_t rows;
  bool add;             // a key that is not there gets the next position from `next` on
  int32_t next;
  int32_t* src_out;     // [rows]
  int32_t* dst_out;     // [rows]
};
// Returns the new keys in that order.
std::vector<double> relabel_pairs(const RelabelPairs& op);

}  // namespace gnn
