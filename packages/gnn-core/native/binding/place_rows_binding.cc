#include "gnn/features/place_rows.h"

#include "arrays.h"
#include "export_kernel.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

// (ids, first, count, slots | null, numCached, numRows): {rows, remote}
Napi::Value place_rows(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto ids = info[0].As<Napi::Int32Array>();
  const auto number = [&](size_t i) { return info[i].As<Napi::Number>().Int32Value(); };
  const int32_t* slots = nullptr;
  if (info[3].IsTypedArray()) {
    const auto array = info[3].As<Napi::Int32Array>();
    if (array.ElementLength() != static_cast<size_t>(number(5))) {
      throw_gnn_error(env, "SHAPE_MISMATCH", "There is not one place in the cache for each row.");
    }
    slots = array.Data();
  }
  gnn::PlacedRows placed = guarded(env, [&] {
    return gnn::place_rows({number(1), number(2), slots, number(4), number(5)}, ids.Data(),
                           static_cast<int64_t>(ids.ElementLength()));
  });
  Napi::Object object = Napi::Object::New(env);
  object.Set("rows", to_typed_array(env, std::move(placed.rows)));
  object.Set("remote", to_typed_array(env, std::move(placed.remote)));
  return object;
}

// [own, cached]
Napi::Value count_rows(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto ids = info[0].As<Napi::Int32Array>();
  const auto number = [&](size_t i) { return info[i].As<Napi::Number>().Int32Value(); };
  const int32_t* slots = info[3].IsTypedArray() ? info[3].As<Napi::Int32Array>().Data() : nullptr;
  const auto counted = gnn::count_rows({number(1), number(2), slots, 0, 0}, ids.Data(),
                                       static_cast<int64_t>(ids.ElementLength()));
  const auto pair = Napi::Array::New(env, 2);
  pair.Set(0u, static_cast<double>(counted.own));
  pair.Set(1u, static_cast<double>(counted.cached));
  return pair;
}

Napi::Value first_outside(const Napi::CallbackInfo& info) {
  const auto ids = info[0].As<Napi::Int32Array>();
  const int64_t at = gnn::first_outside(info[1].As<Napi::Number>().Int32Value(), ids.Data(),
                                        static_cast<int64_t>(ids.ElementLength()));
  return Napi::Number::New(info.Env(), static_cast<double>(at));
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<place_rows>(env, exports,
      "placeRows(ids: Int32Array, first: number, count: number, slots: Int32Array | null, "
      "numCached: number, numRows: number)");
  export_function<count_rows>(env, exports,
      "countRows(ids: Int32Array, first: number, count: number, slots: Int32Array | null)");
  export_function<first_outside>(env, exports, "firstOutside(ids: Int32Array, numRows: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
