// Blocks that the device samples from a graph in its memory, ahead of the steps that take them.
#include <string>
#include <vector>

#include "../arrays.h"
#include "../export_kernel.h"
#include "../part_views.h"
#include "../promise_worker.h"
#include "device.h"
#include "graph_arrays.h"

namespace hopwise {
namespace {

using gnn::device::Array;
namespace cuda = gnn::cuda;

struct DeviceGraph : DeviceObject {
  explicit DeviceGraph(std::shared_ptr<const GraphArrays> arrays)
      : DeviceObject(Kind::kGraph), arrays(std::move(arrays)) {}
  // Blocks in the making keep it until they are made.
  void empty() override { arrays.reset(); }
  std::shared_ptr<const GraphArrays> arrays;
};

// numNodes, parts
Napi::Value make_graph(const Napi::CallbackInfo& info) {
  using Made = std::shared_ptr<const GraphArrays>;
  const int32_t num_nodes = info[0].As<Napi::Number>();
  return PromiseWorker<Made>::start(
      info.Env(), {info[1]},
      [&owner = device(), num_nodes, parts = guarded(info.Env(), [&] { return parts_of(info[1]); })] {
        const std::lock_guard lock(owner.sampling);
        return upload_graph(owner.samples, num_nodes, parts);
      },
      [](Napi::Env env, Made&& made) { return handle_to(env, new DeviceGraph(std::move(made))); });
}

// What came down of a block. The nodes of its src rows alone, unless the host reads its edges, too.
struct HostArrays {
  std::vector<int32_t> src_ids, indptr, indices;
  std::vector<float> weights;
};

struct Sampled {
  std::vector<cuda::BlockData> blocks;
  std::vector<HostArrays> arrays;
};

// Calls take(array of the device, array of the host) for all that comes down. Nodes of the input rows begin with those
// of every later block, so that they are all that comes down of nodes.
template <typename Take>
void for_each_array(Sampled& sampled, bool with_edges, Take take) {
  if (!sampled.blocks.empty()) take(sampled.blocks[0].src_ids, sampled.arrays[0].src_ids);
  for (size_t i = 0; with_edges && i < sampled.blocks.size(); ++i) {
    take(sampled.blocks[i].indptr, sampled.arrays[i].indptr);
    take(sampled.blocks[i].indices, sampled.arrays[i].indices);
    take(sampled.blocks[i].weights, sampled.arrays[i].weights);
  }
}

void fetch_arrays(Sampled& sampled, bool with_edges, gnn::device::Landing& landing, gnn::device::Stream& stream) {
  sampled.arrays.resize(sampled.blocks.size());
  int64_t count = 0;
  for_each_array(sampled, with_edges, [&](const auto& from, auto&) { count += from.size(); });
  constexpr int64_t kBytes = 4;  // of every element
  char* landed = landing.room(static_cast<size_t>(count * kBytes));
  for_each_array(sampled, with_edges, [&, to = landed]<typename T>(const Array<T>& from, std::vector<T>&) mutable {
    static_assert(sizeof(T) == kBytes);
    if (from.size() > 0) gnn::device::download_ahead(reinterpret_cast<T*>(to), from.data(), from.size(), stream);
    to += from.size() * kBytes;
  });
  stream.synchronize_ahead();
  for_each_array(sampled, with_edges, [from = landed]<typename T>(const Array<T>& array, std::vector<T>& to) mutable {
    const T* const values = reinterpret_cast<const T*>(from);
    to.assign(values, values + array.size());
    from += array.size() * kBytes;
  });
}

struct Request {
  std::vector<int32_t> seeds, fanouts;
  bool replace, with_edges;
  gnn::SampleKey key;
};

Sampled sample(Device& owner, const GraphArrays& graph, const Request& request) {
  gnn::device::Stream& stream = owner.samples;
  const auto count = static_cast<int64_t>(request.seeds.size());
  for (const int32_t seed : request.seeds) {
    if (static_cast<uint32_t>(seed) < static_cast<uint32_t>(graph.num_nodes)) continue;
    throw gnn::Error("SHAPE_MISMATCH", "Node " + std::to_string(seed) + " is not in the graph of " +
                                           std::to_string(graph.num_nodes) + " nodes.");
  }
  const Array<int32_t> seeds(stream, count);
  gnn::device::upload(seeds.data(), request.seeds.data(), count, stream);
  Sampled sampled;
  sampled.blocks = cuda::sample_blocks(stream, graph.view(), {seeds.data(), count}, request.fanouts, request.replace,
                                       request.key);
  fetch_arrays(sampled, request.with_edges, owner.sampled, stream);
  return sampled;
}

std::shared_ptr<DeviceArray> ints_of(Array<int32_t>&& made, int64_t bound) {
  auto array = std::make_shared<DeviceArray>(DeviceObject::Kind::kInts, std::move(made));
  array->highest = static_cast<int32_t>(bound - 1);
  return array;
}

Napi::Object to_object(Napi::Env env, cuda::BlockData&& block, HostArrays&& arrays, int32_t num_nodes, bool has_edges) {
  auto made = std::make_unique<DeviceBlock>();
  Napi::Object object = Napi::Object::New(env);
  object.Set("numSrc", block.num_src);
  object.Set("numDst", block.num_dst);
  object.Set("numEdges", block.num_edges);
  object.Set("isWeighted", block.weights.data() != nullptr);
  made->indptr = ints_of(std::move(block.indptr), block.num_edges + 1);
  made->indices = ints_of(std::move(block.indices), block.num_src);
  if (block.weights.data() != nullptr) {
    made->weights = std::make_shared<DeviceArray>(DeviceObject::Kind::kFloats, std::move(block.weights));
  }
  made->view = {block.num_src, block.num_dst, block.num_edges, made->indptr->as<int32_t>(),
                made->indices->as<int32_t>()};
  auto src_ids = std::make_unique<DeviceArray>(DeviceObject::Kind::kInts, std::move(block.src_ids));
  src_ids->highest = num_nodes - 1;
  object.Set("nodes", handle_to(env, src_ids.release()));
  object.Set("srcIds", to_typed_array(env, std::move(arrays.src_ids)));
  object.Set("indptr", has_edges ? to_typed_array(env, std::move(arrays.indptr)) : env.Null());
  object.Set("indices", has_edges ? to_typed_array(env, std::move(arrays.indices)) : env.Null());
  object.Set("weights", has_edges && made->weights ? to_typed_array(env, std::move(arrays.weights)) : env.Null());
  object.Set("block", handle_to(env, made.release()));
  return object;
}

const std::shared_ptr<const GraphArrays>& arrays_of(Napi::Env env, const Napi::Value& value) {
  DeviceGraph* const graph = object_of<DeviceGraph>(value, DeviceObject::Kind::kGraph);
  if (graph != nullptr && graph->arrays != nullptr) return graph->arrays;
  throw_gnn_error(env, "SHAPE_MISMATCH", "The graph is not one of the device, or was given back to it.");
}

// graph, seeds, fanouts, replace, withEdges, seed, epoch, step
Napi::Value sample_on_device(const Napi::CallbackInfo& info) {
  const auto word = [&](size_t i) { return static_cast<uint64_t>(info[i].As<Napi::Number>().Int64Value()); };
  const bool with_edges = info[4].As<Napi::Boolean>();
  Request request{to_vector<int32_t>(info[1]), to_vector<int32_t>(info[2]), info[3].As<Napi::Boolean>(), with_edges,
                  {word(5), word(6), word(7)}};
  const auto graph = arrays_of(info.Env(), info[0]);
  return PromiseWorker<Sampled>::start(
      info.Env(), {},
      [&owner = device(), graph, request = std::move(request)] {
        const std::lock_guard lock(owner.sampling);
        return sample(owner, *graph, request);
      },
      [num_nodes = graph->num_nodes, with_edges](Napi::Env env, Sampled&& sampled) -> Napi::Value {
        Napi::Array blocks = Napi::Array::New(env, sampled.blocks.size());
        for (uint32_t i = 0; i < sampled.blocks.size(); ++i) {
          blocks.Set(i, to_object(env, std::move(sampled.blocks[i]), std::move(sampled.arrays[i]), num_nodes,
                                  with_edges));
        }
        return blocks;
      });
}

template <typename T, typename Typed>
void fetch_into(Napi::Env env, const std::shared_ptr<DeviceArray>& from, Typed to) {
  if (from == nullptr || from->count != static_cast<int64_t>(to.ElementLength())) {
    throw_gnn_error(env, "SHAPE_MISMATCH", "The block was given back, or has other edges than there is room for.");
  }
  gnn::device::download(to.Data(), from->as<T>(), from->count, stream());
}

// block, indptr, indices, weights | null: waits until they are there.
void read_block(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const DeviceBlock* const block = object_of<DeviceBlock>(info[0], DeviceObject::Kind::kBlock);
  if (block == nullptr) throw_gnn_error(env, "SHAPE_MISMATCH", "block is not a block of the device.");
  fetch_into<int32_t>(env, block->indptr, info[1].As<Napi::Int32Array>());
  fetch_into<int32_t>(env, block->indices, info[2].As<Napi::Int32Array>());
  if (info[3].IsTypedArray()) fetch_into<float>(env, block->weights, info[3].As<Napi::Float32Array>());
  stream().synchronize();
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<make_graph>(env, exports, "makeGraph(numNodes: number, parts: readonly CscPart[])");
  export_function<sample_on_device>(env, exports,
      "sampleOnDevice(graph: DeviceGraphHandle, seeds: HostInts, fanouts: HostInts, replace: boolean, "
      "withEdges: boolean, seed: number, epoch: number, step: number)");
  export_function<read_block>(env, exports,
      "readBlock(block: BlockHandle, indptr: HostInts, indices: HostInts, weights: HostFloats | null)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
