#pragma once
// What every sampler shares: a batch grows hop by hop from its seeds, and the picks of a hop become its block.
//
//   HopBuilder hops(graph, seeds, expected_rows, with_importance);
//   for each hop:  hops.begin();  for each dst row: { hops.add(…) per in-neighbour; hops.end_row(…); }  hops.finish();
//   return hops.take_blocks();
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/runtime/leased.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/row_map.h"

namespace gnn {

class HopBuilder {
 public:
  // Throws SHAPE_MISMATCH for a seed outside the graph.
  HopBuilder(const GraphView& graph, const std::vector<int32_t>& seeds, size_t expected_rows, bool with_importance);

  // The next hop's dst rows are all rows so far.
  void begin();
  int32_t num_dst() const { return block_.num_dst; }
  // Until `finish`, by row.
  const int32_t* dst_nodes() const { return rows_.data(); }

  // One edge into the present dst row; edges of a row in ascending order of `node`. `importance` is 1 / the probability
  // of the edge, or times drawn / expected times.
  void add(int32_t node, const float* weight, double importance) {
    picked_.push_back(node);
    if (block_.weighted) block_.weights.push_back(*weight);
    if (block_.has_importance) block_.importance_sum.push_back(static_cast<float>(importance));
  }

  // Ends the row of a node with `num_in_edges`; `normalise` scales its importance so that it adds up to them.
  void end_row(int64_t num_in_edges, bool normalise);

  // Gives every picked node a row and adds the block.
  // Throws DATASET_TOO_LARGE at 2^31 edges.
  void finish();

  // In the order a model consumes them: the last block ends in the seeds.
  std::vector<BlockData> take_blocks();

  // For samplers that fill indptr, weights and picked nodes in bulk.
  BlockData& block() { return block_; }
  std::vector<int32_t>& picked() { return picked_; }

 private:
  // Memory of one batch, kept for the next.
  struct Workspace {
    RowMap rows;
    std::vector<int32_t> picked;
  };

  const GraphView& graph_;
  bool with_importance_;
  Leased<Workspace> memory_;
  RowMap& rows_;
  std::vector<int32_t>& picked_;
  BlockData block_;
  std::vector<BlockData> blocks_;
};

// Throws DATASET_TOO_LARGE when a block would pass 2^31 - 1 edges.
void check_num_edges(int64_t num_edges);

// Rows that a batch may come to, for the first size of the tables; a guess that costs time when wrong.
size_t expected_rows(size_t num_seeds, const std::vector<int32_t>& fanouts);

}  // namespace gnn
