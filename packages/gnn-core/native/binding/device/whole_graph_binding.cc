// A whole graph on the device, and what is left of it without the edges of a step, ahead of the step that takes it.
#include <string>
#include <vector>

#include "../arrays.h"
#include "../export_kernel.h"
#include "../part_views.h"
#include "../promise_worker.h"
#include "device.h"
#include "gnn/cuda/sampling/edges_left.h"
#include "gnn/cuda/sampling/reverse_edges.h"
#include "graph_arrays.h"

namespace hopwise {
namespace {

using gnn::device::Array;
namespace cuda = gnn::cuda;

struct WholeArrays {
  std::shared_ptr<const GraphArrays> graph;
  int64_t num_edges;
  Array<int32_t> indptr, reverse_indptr, reverse_indices, reverse_edges;

  cuda::WholeGraph view() const {
    const int64_t nodes = graph->num_nodes;
    return {{nodes, nodes, num_edges, indptr.data(), graph->indices.data(), reverse_indptr.data(),
             reverse_indices.data()},
            reverse_edges.data()};
  }
};

struct DeviceWhole : DeviceObject {
  explicit DeviceWhole(std::shared_ptr<const WholeArrays> arrays)
      : DeviceObject(Kind::kWhole), arrays(std::move(arrays)) {}
  // Steps in the making keep it until they are made.
  void empty() override { arrays.reset(); }
  std::shared_ptr<const WholeArrays> arrays;
};

// What goes is found by a search in its column.
void check_ascending(const gnn::PartView& part) {
  for (int64_t i = 0; i < part.num_nodes; ++i) {
    for (int64_t e = part.indptr[i] + 1; e < part.indptr[i + 1]; ++e) {
      if (part.indices[e - 1] <= part.indices[e]) continue;
      throw gnn::Error("SHAPE_MISMATCH", "The in-edges of node " + std::to_string(part.first_node + i) +
                                             " are not in the order of their sources; make the graph by "
                                             "graphFromEdges, which sorts them.");
    }
  }
}

std::shared_ptr<const WholeArrays> upload_whole(Device& owner, int32_t num_nodes,
                                                const std::vector<gnn::PartView>& parts) {
  gnn::device::Stream& stream = owner.samples;
  auto whole = std::make_shared<WholeArrays>();
  whole->graph = upload_graph(stream, num_nodes, parts);
  for (const gnn::PartView& part : parts) check_ascending(part);
  const int64_t edges = whole->num_edges = whole->graph->indices.size();
  if (edges > INT32_MAX) {
    throw gnn::Error("DATASET_TOO_LARGE", "The graph has " + std::to_string(edges) +
                                              " edges; at most 2^31 - 1 fit into one block.");
  }
  whole->indptr = Array<int32_t>(stream, int64_t{num_nodes} + 1);
  whole->reverse_indptr = Array<int32_t>(stream, int64_t{num_nodes} + 1);
  whole->reverse_indices = Array<int32_t>(stream, edges);
  whole->reverse_edges = Array<int32_t>(stream, edges);
  cuda::narrow_offsets(stream, int64_t{num_nodes} + 1, whole->graph->indptr.data(), whole->indptr.data());
  cuda::reverse_edges(stream, whole->view().block,
                      {whole->reverse_indptr.data(), whole->reverse_indices.data(), whole->reverse_edges.data()});
  stream.synchronize_ahead();
  return whole;
}

// numNodes, parts
Napi::Value make_whole_graph(const Napi::CallbackInfo& info) {
  using Made = std::shared_ptr<const WholeArrays>;
  const int32_t num_nodes = info[0].As<Napi::Number>();
  return PromiseWorker<Made>::start(
      info.Env(), {info[1]},
      [&owner = device(), num_nodes, parts = guarded(info.Env(), [&] { return parts_of(info[1]); })] {
        const std::lock_guard lock(owner.sampling);
        return upload_whole(owner, num_nodes, parts);
      },
      [](Napi::Env env, Made&& made) { return handle_to(env, new DeviceWhole(std::move(made))); });
}

void check_nodes(const std::vector<int32_t>& nodes, int64_t num_nodes) {
  for (const int32_t node : nodes) {
    if (static_cast<uint32_t>(node) < static_cast<uint64_t>(num_nodes)) continue;
    throw gnn::Error("SHAPE_MISMATCH", "Node " + std::to_string(node) + " is not in the graph of " +
                                           std::to_string(num_nodes) + " nodes.");
  }
}

cuda::BlockLeft leave(Device& owner, const WholeArrays& whole, const std::vector<int32_t>& src,
                      const std::vector<int32_t>& dst) {
  gnn::device::Stream& stream = owner.samples;
  const auto count = static_cast<int64_t>(src.size());
  if (src.size() != dst.size()) throw gnn::Error("SHAPE_MISMATCH", "Pairs have as many sources as targets.");
  check_nodes(src, whole.graph->num_nodes);
  check_nodes(dst, whole.graph->num_nodes);
  const Array<int32_t> from(stream, count), to(stream, count);
  gnn::device::upload(from.data(), src.data(), count, stream);
  gnn::device::upload(to.data(), dst.data(), count, stream);
  cuda::BlockLeft left = cuda::edges_left(stream, whole.view(), {count, from.data(), to.data()});
  stream.synchronize_ahead();  // kernels of another stream read it
  return left;
}

std::shared_ptr<DeviceArray> ints_of(Array<int32_t>&& made, int64_t bound) {
  auto array = std::make_shared<DeviceArray>(DeviceObject::Kind::kInts, std::move(made));
  array->highest = static_cast<int32_t>(bound - 1);
  return array;
}

Napi::Object to_object(Napi::Env env, cuda::BlockLeft&& left, int64_t nodes) {
  auto block = std::make_unique<DeviceBlock>();
  const int64_t edges = left.num_edges;
  block->indptr = ints_of(std::move(left.indptr), edges + 1);
  block->indices = ints_of(std::move(left.indices), nodes);
  block->reverse_indptr = ints_of(std::move(left.reverse_indptr), edges + 1);
  block->reverse_indices = ints_of(std::move(left.reverse_indices), nodes);
  block->reverse_edges = ints_of(std::move(left.reverse_edges), edges);
  block->view = {nodes,
                 nodes,
                 edges,
                 block->indptr->as<int32_t>(),
                 block->indices->as<int32_t>(),
                 block->reverse_indptr->as<int32_t>(),
                 block->reverse_indices->as<int32_t>()};
  Napi::Object object = Napi::Object::New(env);
  object.Set("numEdges", edges);
  object.Set("degrees", handle_to(env, new DeviceArray(DeviceObject::Kind::kFloats, std::move(left.degrees))));
  object.Set("block", handle_to(env, block.release()));
  return object;
}

// graph, src, dst
Napi::Value edges_left(const Napi::CallbackInfo& info) {
  const DeviceWhole* const handle = object_of<DeviceWhole>(info[0], DeviceObject::Kind::kWhole);
  if (handle == nullptr || handle->arrays == nullptr) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "The graph is no whole one of the device, or was given back to it.");
  }
  return PromiseWorker<cuda::BlockLeft>::start(
      info.Env(), {},
      [&owner = device(), whole = handle->arrays, src = to_vector<int32_t>(info[1]),
       dst = to_vector<int32_t>(info[2])] {
        const std::lock_guard lock(owner.sampling);
        return leave(owner, *whole, src, dst);
      },
      [nodes = int64_t{handle->arrays->graph->num_nodes}](Napi::Env env, cuda::BlockLeft&& left) -> Napi::Value {
        return to_object(env, std::move(left), nodes);
      });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<make_whole_graph>(env, exports, "makeWholeGraph(numNodes: number, parts: readonly CscPart[])");
  export_function<edges_left>(env, exports, "edgesLeft(graph: WholeGraphHandle, src: HostInts, dst: HostInts)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
