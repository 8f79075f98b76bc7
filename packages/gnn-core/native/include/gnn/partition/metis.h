#pragma once
// METIS 5.1 (Karypis and Kumar 1998) with 32-bit indices.
#include <cstdint>
#include <vector>

#include "gnn/error.h"

namespace gnn {

struct MetisOptions {
  int32_t num_parts;
  int32_t num_constraints;
  bool recursive;        // recursive bisection, else k-way; it knows the edge cut only
  bool minimize_volume;  // communication volume, else the edge cut
  int32_t seed;
  bool print_levels = false;  // METIS prints every level of its work to stdout
};

// node_weights: row-major [num_nodes, num_constraints]; every constraint must have a positive sum.
// Throws PARTITION_TOO_LARGE when memory runs out, PARTITION_FAILED.
std::vector<int32_t> metis_partition(const int32_t* xadj, const int32_t* adjncy, const int32_t* node_weights,
                                     int32_t num_nodes, const MetisOptions& options);

}  // namespace gnn
