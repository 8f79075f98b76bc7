// Arrays and blocks on the device: made, filled, read back and given back.
#include <algorithm>
#include <cstring>

#include "../arrays.h"
#include "../export_kernel.h"
#include "../promise_worker.h"
#include "device.h"
#include "gnn/cuda/dense/rows.h"
#include "gnn/cuda/sparse/gather_rows.h"

namespace hopwise {
namespace {

using gnn::device::Array;

Napi::Value share(Napi::Env env, const std::shared_ptr<DeviceArray>& array) {
  return handle_to(env, new DeviceArray(*array, 0, array->count));
}

// A handle to ints keeps what is known of them.
Napi::Value share_ints(Napi::Env env, const std::shared_ptr<DeviceArray>& array) {
  auto* made = new DeviceArray(*array, 0, array->count);
  made->lowest = array->lowest, made->highest = array->highest, made->last = array->last;
  made->is_ascending_from_zero = array->is_ascending_from_zero;
  return handle_to(env, made);
}

DeviceArray& array_of(Napi::Env env, const Napi::Value& value, DeviceObject::Kind kind) {
  DeviceArray* const array = object_of<DeviceArray>(value, kind);
  if (array != nullptr && array->memory != nullptr) return *array;
  throw_gnn_error(env, "SHAPE_MISMATCH", "The array is not one of the device, or was given back to it.");
}
DeviceArray& floats_of(Napi::Env env, const Napi::Value& value) {
  return array_of(env, value, DeviceObject::Kind::kFloats);
}

Napi::Value name(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), gnn::device::driver::name()); }

Napi::Value make_floats(Arguments& arguments) {
  return handle_to(arguments.env(), new DeviceArray(DeviceObject::Kind::kFloats, arguments.count("count")));
}

// array, begin, end
Napi::Value part_of(const Napi::CallbackInfo& info) {
  const DeviceArray& whole = floats_of(info.Env(), info[0]);
  const int64_t begin = info[1].As<Napi::Number>(), end = info[2].As<Napi::Number>();
  if (begin < 0 || begin > end || end > whole.count) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "The part does not lie within the array.");
  }
  return handle_to(info.Env(), new DeviceArray(whole, begin, end));
}

Napi::Value upload_floats(const Napi::CallbackInfo& info) {
  const auto values = info[0].As<Napi::Float32Array>();
  return share(info.Env(), uploaded(values.Data(), static_cast<int64_t>(values.ElementLength())));
}

Napi::Value upload_ints(const Napi::CallbackInfo& info) {
  const auto values = info[0].As<Napi::Int32Array>();
  return share_ints(info.Env(), uploaded(values.Data(), static_cast<int64_t>(values.ElementLength())));
}

void check_length(Napi::Env env, const DeviceArray& array, size_t length) {
  if (array.count == static_cast<int64_t>(length)) return;
  throw_gnn_error(env, "SHAPE_MISMATCH",
                  "The array of the device has " + std::to_string(array.count) + " elements, that of the host " +
                      std::to_string(length) + ".");
}

// values, to
void upload_into(const Napi::CallbackInfo& info) {
  const auto values = info[0].As<Napi::Float32Array>();
  DeviceArray& to = floats_of(info.Env(), info[1]);
  check_length(info.Env(), to, values.ElementLength());
  device().staging.upload(to.data, values.Data(), values.ByteLength(), stream());
}

// from, to: waits until it is there.
void download(const Napi::CallbackInfo& info) {
  const DeviceArray& from = floats_of(info.Env(), info[0]);
  auto to = info[1].As<Napi::Float32Array>();
  check_length(info.Env(), from, to.ElementLength());
  gnn::device::download(to.Data(), from.as<float>(), from.count, stream());
  stream().synchronize();
}

struct Done {};

// As download, off the JavaScript thread; `to` is written until the promise settles.
Napi::Value download_async(const Napi::CallbackInfo& info) {
  const DeviceArray& from = floats_of(info.Env(), info[0]);
  auto to = info[1].As<Napi::Float32Array>();
  check_length(info.Env(), from, to.ElementLength());
  gnn::device::download(to.Data(), from.as<float>(), from.count, stream());
  auto copied = std::make_shared<gnn::device::Event>();
  stream().record(*copied);
  return PromiseWorker<Done>::start(
      info.Env(), {info[0], info[1]},
      [copied] {
        copied->synchronize();
        return Done{};
      },
      [](Napi::Env env, Done&&) { return env.Undefined(); });
}

// Kernels that were enqueued before still have it. Giving back twice is nothing.
void give_back(const Napi::CallbackInfo& info) {
  for (const auto kind : {DeviceObject::Kind::kFloats, DeviceObject::Kind::kInts}) {
    if (DeviceArray* const array = object_of<DeviceArray>(info[0], kind)) array->memory.reset();
  }
  using Kind = DeviceObject::Kind;
  for (const auto kind : {Kind::kFeatures, Kind::kGraph, Kind::kShare, Kind::kWhole}) {
    if (DeviceObject* const object = object_of<DeviceObject>(info[0], kind)) object->empty();
  }
  if (DeviceBlock* const block = object_of<DeviceBlock>(info[0], DeviceObject::Kind::kBlock)) {
    for (auto* array : {&block->indptr, &block->indices, &block->reverse_indptr, &block->reverse_indices,
                        &block->reverse_edges, &block->weights}) {
      array->reset();
    }
  }
}

Napi::Value fill(Arguments& arguments) {
  const auto value = static_cast<float>(arguments.number("value"));
  const int64_t count = arguments.length_of_next();
  gnn::cuda::fill(stream(), count, value, arguments.floats("out", count));
  return arguments.env().Undefined();
}

Napi::Value copy(Arguments& arguments) {
  const int64_t count = arguments.length_of_next();
  const float* from = arguments.floats("from", count);
  gnn::device::copy(arguments.floats("to", count), from, count, stream());
  return arguments.env().Undefined();
}

Napi::Value copy_columns(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), columns = arguments.count("columns");
  const int64_t x_dim = arguments.count("xDim"), x_at = arguments.count("xAt");
  const int64_t out_dim = arguments.count("outDim"), out_at = arguments.count("outAt");
  if (x_at + columns > x_dim || out_at + columns > out_dim) arguments.fail("The columns lie outside of their matrix.");
  const int64_t x_count = arguments.length_of_next();
  const float* x = arguments.floats("x", x_count);
  const int64_t out_count = arguments.length_of_next();
  float* out = arguments.floats("out", out_count);
  if (rows * x_dim > x_count || rows * out_dim > out_count) arguments.fail("A matrix has fewer rows than are copied.");
  gnn::cuda::copy_columns(stream(), {.rows = rows,
                                     .columns = columns,
                                     .x = x + x_at,
                                     .x_dim = x_dim,
                                     .out = out + out_at,
                                     .out_dim = out_dim});
  return arguments.env().Undefined();
}

// out[rows[i]] = values[i]
Napi::Value put_rows(Arguments& arguments) {
  const int64_t count = arguments.count("count"), dim = arguments.count("dim"), rows = arguments.count("rowsOfOut");
  const float* const values = arguments.floats("values", count * dim);
  const int32_t* const ids = arguments.ids("rows", count, rows);
  gnn::cuda::put_rows(stream(), count, dim, values, ids, arguments.floats("out", rows * dim));
  return arguments.env().Undefined();
}

// numSrc, numDst, indptr, indices
Napi::Value make_block(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const int64_t num_src = info[0].As<Napi::Number>(), num_dst = info[1].As<Napi::Number>();
  const auto offsets = info[2].As<Napi::Int32Array>(), sources = info[3].As<Napi::Int32Array>();
  auto block = std::make_unique<DeviceBlock>();
  block->indptr = uploaded(offsets.Data(), static_cast<int64_t>(offsets.ElementLength()));
  block->indices = uploaded(sources.Data(), static_cast<int64_t>(sources.ElementLength()));
  const DeviceArray &indptr = *block->indptr, &indices = *block->indices;
  if (indptr.count != num_dst + 1 || !indptr.is_ascending_from_zero || indptr.last != indices.count) {
    throw_gnn_error(env, "SHAPE_MISMATCH", "block.indptr is not an ascending list of offsets into block.indices.");
  }
  if (indices.count > 0 && (indices.lowest < 0 || indices.highest >= num_src)) {
    throw_gnn_error(env, "SHAPE_MISMATCH",
                    "block.indices holds " + std::to_string(indices.highest) + "; expected ids in [0, " +
                        std::to_string(num_src) + ").");
  }
  block->view = {num_src, num_dst, indices.count, indptr.as<int32_t>(), indices.as<int32_t>()};
  return handle_to(env, block.release());
}

// The positions of the edges by src; the block has its edges by src from then on.
Napi::Value reverse_block(const Napi::CallbackInfo& info) {
  DeviceBlock* const block = object_of<DeviceBlock>(info[0], DeviceObject::Kind::kBlock);
  if (block == nullptr || !block->indptr) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "block is not a block of the device, or was given back.");
  }
  block->reverse();
  return share_ints(info.Env(), block->reverse_edges);
}

// What calls have cost since the process began, and the memory of this thread's streams.
Napi::Value counters(const Napi::CallbackInfo& info) {
  const gnn::device::Counters counters = gnn::device::counters();
  const gnn::device::MemoryUse memory = stream().memory().use(), copies = device().copies.memory().use();
  const gnn::device::MemoryUse samples = device().samples.memory().use();
  Napi::Object object = Napi::Object::New(info.Env());
  const auto set = [&](const char* key, double value) { object.Set(key, value); };
  set("launches", static_cast<double>(counters.launches));
  set("synchronizations", static_cast<double>(counters.synchronizations));
  set("uploads", static_cast<double>(counters.uploads));
  set("downloads", static_cast<double>(counters.downloads));
  set("waitsAhead", static_cast<double>(counters.waits_ahead));
  set("downloadsAhead", static_cast<double>(counters.downloads_ahead));
  set("uploadedBytes", static_cast<double>(counters.uploaded_bytes));
  set("takenBytes", static_cast<double>(memory.taken + copies.taken + samples.taken));
  set("keptBytes", static_cast<double>(memory.kept + copies.kept + samples.kept));
  return object;
}

Napi::Value memory_state(const Napi::CallbackInfo& info) {
  const gnn::device::driver::MemoryState state = gnn::device::driver::memory_state();
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("freeBytes", static_cast<double>(state.free));
  object.Set("totalBytes", static_cast<double>(state.total));
  return object;
}

Napi::Value synchronize(const Napi::CallbackInfo& info) {
  stream().synchronize();
  return info.Env().Undefined();
}

// What the streams keep for the next taker goes back to the device.
Napi::Value trim(const Napi::CallbackInfo& info) {
  stream().memory().trim();
  device().copies.memory().trim();
  device().samples.memory().trim();
  return info.Env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<name>(env, exports, "deviceName()");
  export_kernel<make_floats>(env, exports, "makeFloats(count: number)");
  export_function<part_of>(env, exports, "partOf(array: FloatsHandle, begin: number, end: number)");
  export_function<upload_floats>(env, exports, "uploadFloats(values: HostFloats)");
  export_function<upload_ints>(env, exports, "uploadInts(values: HostInts)");
  export_function<upload_into>(env, exports, "uploadInto(values: HostFloats, to: FloatsHandle)");
  export_function<download>(env, exports, "download(from: FloatsHandle, to: HostFloats)");
  export_function<download_async>(env, exports, "downloadAsync(from: FloatsHandle, to: HostFloats)");
  export_function<give_back>(env, exports, "giveBack(object: DeviceHandle)");
  export_kernel<fill>(env, exports, "fill(value: number, out: FloatsHandle)");
  export_kernel<copy>(env, exports, "copy(from: FloatsHandle, to: FloatsHandle)");
  export_kernel<copy_columns>(env, exports,
      "copyColumns(rows: number, columns: number, xDim: number, xAt: number, outDim: number, outAt: number, "
      "x: FloatsHandle, out: FloatsHandle)");
  export_kernel<put_rows>(env, exports,
      "putRows(count: number, dim: number, rowsOfOut: number, values: FloatsHandle, rows: IntsHandle, "
      "out: FloatsHandle)");
  export_function<make_block>(env, exports,
      "makeBlock(numSrc: number, numDst: number, indptr: HostInts, indices: HostInts)");
  export_function<reverse_block>(env, exports, "reverseBlock(block: BlockHandle)");
  export_function<counters>(env, exports, "deviceCounters()");
  export_function<memory_state>(env, exports, "deviceMemory()");
  export_function<synchronize>(env, exports, "synchronize()");
  export_function<trim>(env, exports, "trimMemory()");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
