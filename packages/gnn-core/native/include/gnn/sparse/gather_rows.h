#pragma once
#include <cstdint>

namespace gnn {

// out[i] = x[rows[i]]
void gather_rows(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out);

// out[rows[i]] = x[i] for distinct rows
void put_rows(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out);

// out [num_out, dim] = 0, then out[rows[i]] += dy[i] in the order of i. Threads own column slices: no atomics.
void scatter_add_rows(int64_t num_rows, int64_t dim, const float* dy, const int32_t* rows, int64_t num_out,
                      float* out);

}  // namespace gnn
