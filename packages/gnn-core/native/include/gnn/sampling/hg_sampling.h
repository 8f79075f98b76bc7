#pragma once
// HGSampling (Hu et al. 2020, Heterogeneous Graph Transformer, arXiv:2003.01332, algorithm 2): a subgraph with about as
// many nodes of every type, grown from the seeds in rounds.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

struct TypesOfNodes {
  const int32_t* codes;  // [num_codes], below num_types, one of each node; null: all nodes are of one type
  int32_t num_types;
  int64_t num_codes = 0;
};

// A node u that sends to a node v already taken has 1 / (in-edges of v of the same relation) for it in its budget B_u.
// Each round takes per_type[round] nodes of every type, successive draws in proportion to B_u^2 (exponential keys by
// node, see draw_nodes.h), from the budgets as they are at its beginning; a negative number takes all. There is a block
// for each round, the first round from the seeds: all in-edges of its dst rows that begin at a node taken in any round.
// Safe to call from any number of threads. Throws SHAPE_MISMATCH for a node outside the graph, a type that there is
// not or another number of types than of nodes, DATASET_TOO_LARGE past 2^31 - 1 edges.
std::vector<BlockData> sample_hg_blocks(const GraphView& graph, const TypesOfNodes& types,
                                        const std::vector<int32_t>& seeds, const std::vector<int32_t>& per_type,
                                        const SampleKey& key);

}  // namespace gnn
