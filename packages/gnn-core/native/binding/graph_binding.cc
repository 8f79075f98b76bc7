#include "gnn/graph/csc.h"
#include "gnn/graph/mapping.h"
#include "arrays.h"
#include "export_kernel.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

Napi::Value to_array_buffer(Napi::Env env, const gnn::Mapping& mapping) {
  if (!mapping.data) return Napi::ArrayBuffer::New(env, 0);
  return Napi::ArrayBuffer::New(
      env, mapping.data, mapping.bytes, [](Napi::Env, void*, gnn::Mapping* owned) {
        gnn::unmap(*owned);
        delete owned;
      },
      new gnn::Mapping(mapping));
}

Napi::Value map_file(const Napi::CallbackInfo& info) {
  const std::string path = info[0].As<Napi::String>();
  return to_array_buffer(info.Env(), guarded(info.Env(), [&] { return gnn::map_file(path); }));
}

Napi::Value map_file_writable(const Napi::CallbackInfo& info) {
  const std::string path = info[0].As<Napi::String>();
  const auto bytes = static_cast<size_t>(info[1].As<Napi::Number>().Int64Value());
  return to_array_buffer(info.Env(), guarded(info.Env(), [&] { return gnn::map_file_writable(path, bytes); }));
}

Napi::Value map_memory(Arguments& arguments) {
  return to_array_buffer(arguments.env(), gnn::map_memory(static_cast<size_t>(arguments.count("bytes"))));
}

Napi::Value advise(const Napi::CallbackInfo& info) {
  const auto array = info[0].As<Napi::TypedArray>();
  const char* data = static_cast<const char*>(array.ArrayBuffer().Data()) + array.ByteOffset();
  const size_t bytes = array.ByteLength();
  const auto access = info[1].As<Napi::Boolean>() ? gnn::Access::resident : gnn::Access::random;
  return PromiseWorker<bool>::start(
      info.Env(), {array},
      [=] {
        gnn::advise(data, bytes, access);
        return true;
      },
      [](Napi::Env env, bool) { return env.Undefined(); });
}

Napi::Value csc_to_object(Napi::Env env, gnn::Csc&& csc) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("indptr", to_typed_array(env, std::move(csc.indptr)));
  object.Set("indices", to_typed_array(env, std::move(csc.indices)));
  object.Set("edgeIds", to_typed_array(env, std::move(csc.edge_ids)));
  object.Set("numDuplicates", static_cast<double>(csc.num_duplicates));
  object.Set("firstDuplicate", static_cast<double>(csc.first_duplicate));
  object.Set("numSelfLoops", static_cast<double>(csc.num_self_loops));
  return object;
}

Napi::Value csc_from_coo(const Napi::CallbackInfo& info) {
  const auto src = info[0].As<Napi::Int32Array>(), dst = info[1].As<Napi::Int32Array>();
  const gnn::CooRows rows{src.Data(), dst.Data(), static_cast<int64_t>(src.ElementLength())};
  const int32_t num_nodes = info[2].As<Napi::Number>();
  const gnn::CscOptions options{info[3].As<Napi::Boolean>(), info[4].As<Napi::Boolean>(), info[5].As<Napi::Boolean>()};
  return PromiseWorker<gnn::Csc>::start(
      info.Env(), {src, dst}, [=] { return gnn::csc_from_coo(rows, num_nodes, options); }, csc_to_object);
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<map_file>(env, exports, "mapFile(path: string)");
  export_function<map_file_writable>(env, exports, "mapFileWritable(path: string, bytes: number)");
  export_kernel<map_memory>(env, exports, "mapMemory(bytes: number)");
  export_function<advise>(env, exports, "adviseMapped(values: ArrayBufferView, resident: boolean)");
  export_function<csc_from_coo>(env, exports,
      "cscFromCoo(src: Int32Array, dst: Int32Array, numNodes: number, dropDuplicates: boolean, "
      "dropSelfLoops: boolean, bothDirections: boolean)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
