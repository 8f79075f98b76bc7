#pragma once
#include <cstdint>

namespace gnn {

// One hop's edges by dst and by src; the first num_dst src rows are the dst rows. Borrowed memory.
struct BlockView {
  int64_t num_src;
  int64_t num_dst;
  int64_t num_edges;               // indptr[num_dst], known to callers whose arrays lie elsewhere
  const int32_t* indptr;           // [num_dst + 1]
  const int32_t* indices;          // src row of each edge
  // Null in blocks that no gradient walks.
  const int32_t* reverse_indptr = nullptr;   // [num_src + 1]
  const int32_t* reverse_indices = nullptr;  // dst row of each edge, by src

  int64_t degree(int64_t dst) const { return indptr[dst + 1] - indptr[dst]; }
};

// Rows of a CSR matrix. Borrowed memory.
struct CsrView {
  int64_t rows;
  int64_t dim;
  const int32_t* indptr;
  const int32_t* indices;
  const float* values;
  int64_t num_values = 0;  // indptr[rows], where the arrays lie on a device
};

}  // namespace gnn
