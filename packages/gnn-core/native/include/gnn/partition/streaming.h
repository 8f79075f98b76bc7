#pragma once
// One-pass partitioning: Fennel's score (Tsourakakis et al. 2014, doi:10.1145/2556195.2556213) with several balanced
// weights, and its repetition over the same stream (Nishimura and Ugander 2013, doi:10.1145/2487575.2487696).
#include <cstdint>

namespace gnn {

// In-edge CSC; the neighbours that a node sees are its in-neighbours.
struct StreamedGraph {
  const int64_t* indptr;
  const int32_t* indices;
  int32_t num_nodes;
};

struct StreamingOptions {
  int32_t num_parts;
  int32_t num_constraints;
  const int32_t* node_weights;  // row-major [num_nodes, num_constraints]
  const double* totals;         // [num_constraints], positive: sums of the columns of node_weights
  double tolerance;             // a part holds at most (1 + tolerance) / num_parts of each total
  uint32_t seed;                // breaks ties
};

// What the stream has come to: both arrays are kept up to date.
struct StreamedParts {
  int32_t* assignment;  // [num_nodes]: -1 = not placed yet
  double* loads;        // [num_parts, num_constraints]: weight of each part
};

// Places the nodes first … first + count in order; a placed node leaves its part and is placed anew.
//
// Node v with weights w goes to the part i that maximises
//
//   |N(v) ∩ P_i| − 3/4 d̄ · mean_c( w_c / w̄_c · sqrt(load_ic / (total_c / k)) )
//
// among those that have room for it in every constraint; without any, to the one it overloads least. For one
// constraint of unit weights this is Fennel with γ = 3/2, α = sqrt(k) m / n^(3/2), of a graph with both directions
// of every edge: m = d̄ n / 2.
//
// Returns how many nodes changed their part.
int64_t stream_nodes(const StreamedGraph& graph, const StreamingOptions& options, int32_t first, int32_t count,
                     const StreamedParts& parts);

}  // namespace gnn
