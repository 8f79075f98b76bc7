#pragma once
// Neighbour sampling into message-flow blocks, with the blocks of gnn/sampling/sample_blocks.h.
#include <cstdint>
#include <vector>

#include "gnn/device/array.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn::cuda {

using device::Array;
using device::Stream;

// An in-edge graph that was checked before it was uploaded.
struct GraphView {
  int32_t num_nodes;
  const int64_t* indptr;           // [num_nodes + 1]
  const int32_t* indices;          // sources
  const float* weights = nullptr;  // of the edges
};

// One hop: src rows send to dst rows; the first num_dst src rows are the dst rows.
struct BlockData {
  int64_t num_src = 0;
  int64_t num_dst = 0;
  int64_t num_edges = 0;
  Array<int32_t> indptr;   // [num_dst + 1]
  Array<int32_t> indices;  // src rows
  Array<int32_t> src_ids;  // node of every src row
  Array<float> weights;    // one per edge when the graph has weights
};

struct Seeds {
  const int32_t* nodes;  // on the device; below num_nodes
  int64_t count;
};

// The CPU's blocks, bit by bit, from the same key: fanouts[0] is the hop from the seeds, negative = all in-neighbours;
// the last block ends in the seeds. Waits for the device twice a hop, to learn how much memory comes next: the stream
// is one that runs ahead of the training, in a thread of its own. Throws DATASET_TOO_LARGE when a block passes 2^31 - 1
// edges.
std::vector<BlockData> sample_blocks(Stream& stream, const GraphView& graph, const Seeds& seeds,
                                     const std::vector<int32_t>& fanouts, bool replace, const SampleKey& key);

}  // namespace gnn::cuda
