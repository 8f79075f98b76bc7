#pragma once
// Rows of shared memory that several processes could write in one step: one of them does, always the same one.
#include <cstdint>

namespace gnn {

// A claim is step * 2^16 + (2^16 - 1 - rank): of one step's claims on a row the lowest rank's is the largest.
inline uint64_t claim_of(uint64_t step, uint64_t rank) { return (step << 16) + (65535 - rank); }

// claims[rows[i]] = max(claims[rows[i]], claim), atomically.
void claim_rows(const int32_t* rows, int64_t count, uint64_t claim, uint64_t* claims);

// out[rows[i]] = values[i] for the rows whose claim is ours. Claims of this step must be over.
struct WriteClaimedRows {
  const int32_t* rows;               // [count], each below num_rows
  int64_t count;
  uint64_t claim;
  const uint64_t* claims = nullptr;  // [num_rows]; null: all rows are ours
  int64_t dim;
  const float* values;               // [count, dim]
  float* out;                        // [num_rows, dim]
};
void write_claimed_rows(const WriteClaimedRows& op);

}  // namespace gnn
