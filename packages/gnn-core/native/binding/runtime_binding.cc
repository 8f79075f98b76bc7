#include <vector>

#include "export_kernel.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace hopwise {
namespace {

Napi::Value allocate(Arguments& arguments) {
  const auto bytes = static_cast<size_t>(arguments.count("bytes"));
  void* memory = gnn::allocate_aligned(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return Napi::ArrayBuffer::New(arguments.env(), memory, bytes,
                                [](Napi::Env, void* data) { gnn::free_aligned(data); });
}

// A typed array's memory goes back at once instead of when the array is collected.
Napi::Value free_array(const Napi::CallbackInfo& info) {
  if (!info[0].IsTypedArray()) Arguments(info).fail("expected a typed array.");
  info[0].As<Napi::TypedArray>().ArrayBuffer().Detach();
  return info.Env().Undefined();
}

Napi::Value isa(Arguments& arguments) { return Napi::String::New(arguments.env(), gnn::isa()); }

Napi::Value second_level_cache(Arguments& arguments) {
  return Napi::Number::New(arguments.env(), static_cast<double>(gnn::second_level_cache()));
}

Napi::Value threads(Arguments& arguments) { return Napi::Number::New(arguments.env(), gnn::threads()); }

Napi::Value set_threads(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  const int64_t count = arguments.count("count");
  if (count < 1 || count > 1024) arguments.fail("count is " + std::to_string(count) + "; expected 1 to 1024 threads.");
  std::vector<int> cpus;
  if (info[1].IsTypedArray()) {
    const auto given = info[1].As<Napi::Int32Array>();
    cpus.assign(given.Data(), given.Data() + given.ElementLength());
  }
  gnn::set_threads(static_cast<int>(count), cpus);
  return info.Env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<allocate>(env, exports, "allocate(bytes: number)");
  export_kernel<isa>(env, exports, "isa()");
  export_kernel<second_level_cache>(env, exports, "secondLevelCache()");
  export_kernel<threads>(env, exports, "threads()");
  export_function<free_array>(env, exports, "freeArray(array: NodeJS.TypedArray)");
  export_function<set_threads>(env, exports, "setThreads(count: number, cpus?: Int32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
