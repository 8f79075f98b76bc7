#pragma once
// A whole graph in the memory of a device, without the edges of a step: the twin of gnn/sampling/edges_left.h.
#include <cstdint>

#include "gnn/device/array.h"
#include "gnn/sampling/edges_left.h"
#include "gnn/sparse/block_view.h"

namespace gnn::cuda {

using device::Array;
using device::Stream;

// All edges of a graph as one hop, in which row v is node v; the sources of a row are ascending.
struct WholeGraph {
  BlockView block;               // with the edges by src
  const int32_t* reverse_edges;  // [num_edges]
};

// The hop that is left, by dst and by src, each in the order that it had.
struct BlockLeft {
  int64_t num_edges = 0;
  Array<int32_t> indptr, indices, reverse_indptr, reverse_indices, reverse_edges;
  Array<float> degrees;  // [num_dst] how many edges each row has left
};

// Takes out all edges between the nodes of a pair, in either direction: parallel ones, and of a pair of one node its
// loops. Edges by src stay sorted: nothing is sorted anew. `pairs` lie on the device, their nodes are below num_dst.
// The bits of all that reads the edges are those of a graph that never had those that went, whatever the inputs are.
// Waits for the device once, to learn how many are left: the stream is one that runs ahead of the training, in a thread
// of its own.
BlockLeft edges_left(Stream& stream, const WholeGraph& graph, const PairsView& pairs);

// [num_dst + 1] offsets of a graph that has less than 2^31 edges, as a block has them.
void narrow_offsets(Stream& stream, int64_t count, const int64_t* offsets, int32_t* out);

}  // namespace gnn::cuda
