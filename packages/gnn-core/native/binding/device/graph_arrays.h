#pragma once
// A graph in the memory of the device, for sampling there.
#include <cstdint>
#include <memory>
#include <vector>

#include "gnn/cuda/sampling/sample_blocks.h"
#include "gnn/device/array.h"
#include "gnn/device/stream.h"
#include "gnn/graph/graph_view.h"

namespace hopwise {

struct GraphArrays {
  int32_t num_nodes = 0;
  gnn::device::Array<int64_t> indptr;
  gnn::device::Array<int32_t> indices;
  gnn::device::Array<float> weights;
  gnn::cuda::GraphView view() const { return {num_nodes, indptr.data(), indices.data(), weights.data()}; }
};

// Copies parts that follow each other to the device, and waits until they are there. Throws SHAPE_MISMATCH for parts
// that do not fit each other or name nodes that there are not.
std::shared_ptr<const GraphArrays> upload_graph(gnn::device::Stream& stream, int32_t num_nodes,
                                                const std::vector<gnn::PartView>& parts);

}  // namespace hopwise
