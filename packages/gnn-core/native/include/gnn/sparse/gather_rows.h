#pragma once
#include <cstdint>

namespace gnn {

// out[i] = x[rows[i]]
void gather_rows(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out);

// out[rows[i]] = x[i] for distinct rows
void put_rows(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out);

// out = 0, then out[rows[i]] += dy[i] in the order of i. Threads own column slices: no atomics.
struct ScatterAddRows {
  int64_t num_rows;
  int64_t dim;
  const float* dy;      // [num_rows, dim]
  const int32_t* rows;  // [num_rows], each below num_out
  int64_t num_out;
  float* out;           // [num_out, dim]
};
void scatter_add_rows(const ScatterAddRows& op);

}  // namespace gnn
