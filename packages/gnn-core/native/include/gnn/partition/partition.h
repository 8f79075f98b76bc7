#pragma once
// Around the cut: METIS' input, relabelling, and what a cut costs.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"

namespace gnn {

// METIS' adjacency: both directions of every edge once, no self-loops.
struct Adjacency {
  std::vector<int32_t> xadj;    // [num_nodes + 1]
  std::vector<int32_t> adjncy;  // ascending inside a node
};

// Throws PARTITION_TOO_LARGE when the result would pass 2^31 - 1 entries.
Adjacency symmetrize(const int64_t* indptr, const int32_t* indices, int32_t num_nodes);

struct RelabelledColumns {
  std::vector<int64_t> indptr;
  std::vector<int32_t> indices;   // GlobalIds, ascending inside a column; with types ascending by type, then GlobalId
  std::vector<int64_t> edge_map;  // EdgeId of each; equal GlobalIds keep the order of their EdgeIds
};

// Columns of the nodes node_map[first, first + count).
struct RelabelColumns {
  const int64_t* indptr;      // [num_nodes + 1]
  const int32_t* indices;     // [num_edges]
  const int32_t* node_map;    // [num_nodes] the node of each GlobalId
  const int32_t* global_ids;  // [num_nodes] its inverse
  int64_t first;
  int64_t count;
  const int32_t* types = nullptr;  // [num_edges], at least 0; null: all edges are alike
};
RelabelledColumns relabel_columns(const RelabelColumns& op);

// What a part has of one type of node.
struct TypeMeasures {
  int64_t nodes = 0;       // of the part
  int64_t edges = 0;       // in-edges of these
  int64_t halo_nodes = 0;  // distinct outside nodes within all hops
};

struct PartMeasures {
  int64_t cut_edges = 0;             // in-edges whose src lies in another part
  std::vector<int64_t> halo_nodes;   // [h]: distinct outside nodes within h + 1 in-hops
  std::vector<TypeMeasures> types;   // [num_types]
};

struct NodeTypes {
  const int32_t* codes = nullptr;  // [num_nodes], by GlobalId, from 0 to num_types - 1; null: nodes are alike
  int32_t num_types = 0;
};

PartMeasures measure_part(const GraphView& graph, int32_t part, int32_t hops, NodeTypes types = {});

}  // namespace gnn
