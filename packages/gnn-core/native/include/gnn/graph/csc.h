#pragma once
// Building in-edge CSC graphs: column = dst, entries = src.
#include <cstdint>
#include <vector>

namespace gnn {

struct Csc {
  std::vector<int64_t> indptr;     // [num_nodes + 1]
  std::vector<int32_t> indices;    // src, ascending inside a column
  std::vector<uint32_t> edge_ids;  // input row of each edge
  int64_t num_duplicates = 0;
  int64_t num_self_loops = 0;
};

// Rows src[i] -> dst[i]; equal edges stay in row order, or only the first of them when `drop_duplicates`.
// Throws DATASET_NODE_UNKNOWN when an id lies outside [0, num_nodes), DATASET_TOO_LARGE at 2^32 rows.
Csc csc_from_coo(const int32_t* src, const int32_t* dst, int64_t num_rows, int32_t num_nodes, bool drop_duplicates,
                 bool drop_self_loops);

}  // namespace gnn
