#pragma once
// Neighbour sampling with a fanout for each relation: the in-neighbours of a node that one relation leads from are a
// slice of its column.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

struct RelationFanouts {
  std::vector<int32_t> fanouts;  // [hops, num_relations], the first hop from the seeds; negative = all in-neighbours
  int32_t num_relations;
};

// As sample_blocks; the draws from one relation are the same whatever the fanouts of the others.
// Throws SHAPE_MISMATCH for a graph without relations, for one that the fanouts lack, and for columns that are not
// sorted by relation.
std::vector<BlockData> sample_relation_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                              const RelationFanouts& fanouts, bool replace, const SampleKey& key);

}  // namespace gnn
