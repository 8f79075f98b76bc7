#pragma once
// The pairs that skip-gram with negative sampling learns from: nodes near each other on a walk, and drawn ones.
#include <cstdint>
#include <vector>

#include "gnn/walks/random_walks.h"

namespace gnn {

struct PairOptions {
  int32_t window;       // most steps between the two nodes of a pair
  int32_t negatives;    // nodes drawn for each pair
  const double* noise;  // [num_nodes] running sums of what a drawn node weighs; null: all weigh the same
};

// Pairs (centre, other) as a bipartite graph of one set of rows: a column for each row, whose entries are the others of
// that centre, in the order of the walks.
struct WalkPairs {
  std::vector<int32_t> nodes;    // the node of each row, ascending
  std::vector<int32_t> indptr;   // [rows + 1]
  std::vector<int32_t> indices;  // rows
  std::vector<float> targets;    // 1: met on a walk, 0: drawn
  int64_t num_positives = 0;
};

// A node is no pair with itself: it is left out where a walk returns, and where it is drawn for itself or for the node
// that was met. Draws depend on (seed, epoch, number of the walk, its start) alone.
// Throws SHAPE_MISMATCH for a node outside the graph, DATASET_TOO_LARGE when there may be 2^31 pairs.
WalkPairs walk_pairs(const GraphView& graph, const std::vector<int32_t>& starts, const WalkOptions& walk_options,
                     const PairOptions& options, const SampleKey& key);

}  // namespace gnn
