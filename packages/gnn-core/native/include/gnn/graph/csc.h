#pragma once
// Building in-edge CSC graphs: column = dst, entries = src.
#include <cstdint>
#include <vector>

namespace gnn {

struct Csc {
  std::vector<int64_t> indptr;     // [num_nodes + 1]
  std::vector<int32_t> indices;    // src, ascending inside a column
  std::vector<uint32_t> edge_ids;  // input row of each edge
  int64_t num_duplicates = 0;      // input rows that repeat an earlier one
  int64_t first_duplicate = -1;    // the first of them
  int64_t num_self_loops = 0;
};

// Edge rows src[i] -> dst[i].
struct CooRows {
  const int32_t* src;
  const int32_t* dst;
  int64_t count;
};

struct CscOptions {
  bool drop_duplicates = false;  // of equal edges only the first row stays
  bool drop_self_loops = false;
  bool both_directions = false;  // every row is also dst[i] -> src[i], a self-loop once
};

// Equal edges stay in row order. Throws DATASET_NODE_UNKNOWN when an id lies outside [0, num_nodes), DATASET_TOO_LARGE
// at 2^32 rows.
Csc csc_from_coo(const CooRows& rows, int32_t num_nodes, const CscOptions& options);

}  // namespace gnn
