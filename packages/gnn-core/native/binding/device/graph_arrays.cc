#include "graph_arrays.h"

#include <algorithm>
#include <string>

#include "gnn/device/staging.h"
#include "gnn/error.h"

namespace hopwise {
namespace {

using gnn::device::Array;

constexpr int kUploadSlots = 4;
constexpr size_t kUploadBytes = size_t{1} << 20;
constexpr int64_t kOffsetsAtATime = 1 << 15;

[[noreturn]] void fail(const std::string& found) {
  throw gnn::Error("SHAPE_MISMATCH", found + " The graph's file is damaged: fetch it again.");
}

// Kernels check nothing that they index: the parts may have come from a file that somebody else wrote.
void check_sources(const gnn::PartView& part, int32_t num_nodes) {
  for (int64_t e = 0; e < part.num_edges; ++e) {
    if (static_cast<uint32_t>(part.indices[e]) < static_cast<uint32_t>(num_nodes)) continue;
    fail("An edge comes from node " + std::to_string(part.indices[e]) + "; the graph has " +
         std::to_string(num_nodes) + " nodes.");
  }
}

// The whole graph's offsets of a part's nodes begin with the number of edges before it.
void upload_offsets(const gnn::PartView& part, int64_t edges_before, int64_t* to, gnn::device::StagingRing& ring,
                    gnn::device::Stream& stream) {
  std::vector<int64_t> offsets;
  for (int64_t first = 1; first <= part.num_nodes; first += kOffsetsAtATime) {
    offsets.clear();
    for (int64_t i = first; i < std::min(first + kOffsetsAtATime, int64_t{part.num_nodes} + 1); ++i) {
      if (part.indptr[i] < part.indptr[i - 1]) {
        fail("The in-edges of node " + std::to_string(part.first_node + i - 1) + " end before they begin.");
      }
      offsets.push_back(edges_before + part.indptr[i]);
    }
    ring.upload(to + first, offsets.data(), offsets.size() * sizeof(int64_t), stream);
  }
}

}  // namespace

std::shared_ptr<const GraphArrays> upload_graph(gnn::device::Stream& stream, int32_t num_nodes,
                                                const std::vector<gnn::PartView>& parts) {
  gnn::device::StagingRing ring(kUploadSlots, kUploadBytes);
  int64_t nodes = 0, edges = 0;
  for (const gnn::PartView& part : parts) {
    if (part.first_node != nodes) fail("Graph parts are not consecutive.");
    nodes += part.num_nodes;
    edges += part.num_edges;
  }
  if (nodes != num_nodes) fail("Graph parts do not add up to the number of nodes.");
  auto arrays = std::make_shared<GraphArrays>();
  arrays->num_nodes = num_nodes;
  arrays->indptr = Array<int64_t>(stream, nodes + 1);
  arrays->indices = Array<int32_t>(stream, edges);
  if (!parts.empty() && parts[0].weights != nullptr) arrays->weights = Array<float>(stream, edges);
  gnn::device::zero(arrays->indptr.data(), 1, stream);
  edges = 0;
  for (const gnn::PartView& part : parts) {
    check_sources(part, num_nodes);
    upload_offsets(part, edges, arrays->indptr.data() + part.first_node, ring, stream);
    const size_t bytes = static_cast<size_t>(part.num_edges) * sizeof(int32_t);
    ring.upload(arrays->indices.data() + edges, part.indices, bytes, stream);
    if (arrays->weights.data() != nullptr && part.weights != nullptr) {
      ring.upload(arrays->weights.data() + edges, part.weights, bytes, stream);
    }
    edges += part.num_edges;
  }
  stream.synchronize_ahead();  // the ring's memory goes
  return arrays;
}

}  // namespace hopwise
