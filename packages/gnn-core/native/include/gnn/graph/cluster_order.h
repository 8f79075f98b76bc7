#pragma once
// An order of nodes in which those with common in-neighbours follow each other: rows of theirs are then still cached.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"

namespace gnn {

// The nodes [first, first + count), cluster by cluster, ascending within each; ascending altogether where a look shows
// no clusters. Clusters of up to `most_nodes` come of size-constrained label propagation (Meyerhenke, Sanders, Schulz
// 2014, "Partitioning complex networks via size-constrained clustering"): time O(count), as at most 16 in-neighbours of
// a node are looked at. The order depends on the graph alone. Throws SHAPE_MISMATCH for nodes outside the graph.
std::vector<int32_t> cluster_order(const GraphView& graph, int32_t first, int32_t count, int32_t most_nodes);

}  // namespace gnn
