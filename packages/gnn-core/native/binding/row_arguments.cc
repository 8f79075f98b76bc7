#include "row_arguments.h"

#include <numeric>

#include "arrays.h"
#include "gnn/sampling/counter_rng.h"

namespace hopwise {
namespace {

const gnn::RowOp kOps[] = {gnn::RowOp::kGet, gnn::RowOp::kSet, gnn::RowOp::kAdd};

}  // namespace

StoreHandle& store_of(const Napi::Value& value) { return *value.As<Napi::External<StoreHandle>>().Data(); }

uint8_t* bytes_of(const Napi::Value& value, const char* name, int64_t expected) {
  if (!value.IsTypedArray()) throw gnn::Error("SHAPE_MISMATCH", std::string(name) + " is not a typed array.");
  const auto array = value.As<Napi::TypedArray>();
  if (static_cast<int64_t>(array.ByteLength()) != expected) {
    throw gnn::Error("SHAPE_MISMATCH", std::string(name) + " has " + std::to_string(array.ByteLength()) +
                                           " bytes; expected " + std::to_string(expected) + ".");
  }
  return static_cast<uint8_t*>(array.ArrayBuffer().Data()) + array.ByteOffset();
}

BatchArguments read_batch(const Napi::CallbackInfo& info, size_t first, const gnn::RowStore& store) {
  const uint32_t op = info[first].As<Napi::Number>().Uint32Value();
  if (op > 2) throw gnn::Error("SPEC_INVALID", "There is no such operation on rows.");
  BatchArguments batch{kOps[op], info[first + 1].As<Napi::String>(), nullptr, 0, nullptr};
  if (!info[first + 2].IsTypedArray() ||
      info[first + 2].As<Napi::TypedArray>().TypedArrayType() != napi_int32_array) {
    throw gnn::Error("SHAPE_MISMATCH", "Ids are not an Int32Array.");
  }
  const auto ids = info[first + 2].As<Napi::Int32Array>();
  batch.ids = ids.Data();
  batch.count = static_cast<int64_t>(ids.ElementLength());
  if (batch.count > INT32_MAX) throw gnn::Error("SHAPE_MISMATCH", "One call names more than 2^31 - 1 rows.");
  batch.rows = bytes_of(info[first + 3], "rows", batch.count * store.table(batch.table)->schema().row_bytes());
  return batch;
}

DrawArguments read_draw(const Napi::CallbackInfo& info, size_t first) {
  const auto ids = info[first].As<Napi::Int32Array>();
  const auto number = [&](size_t i) { return static_cast<uint64_t>(info[first + i].As<Napi::Number>().Int64Value()); };
  const uint64_t hop = gnn::hop_stream({number(5), number(6), number(7)}, number(4));
  const int32_t relation = info[first + 3].As<Napi::Number>();
  const uint64_t stream = relation < 0 ? hop : gnn::relation_stream(hop, relation);
  return {ids.Data(), static_cast<int64_t>(ids.ElementLength()),
          {info[first + 1].As<Napi::Number>(), info[first + 2].As<Napi::Boolean>(), stream, relation}};
}

Napi::Object to_object(Napi::Env env, const gnn::RowCounters& counters) {
  Napi::Object object = Napi::Object::New(env);
  const auto set = [&](const char* name, uint64_t value) { object.Set(name, static_cast<double>(value)); };
  set("requestedRows", counters.requested_rows);
  set("localRows", counters.local_rows);
  set("remoteRows", counters.remote_rows);
  set("remoteBytes", counters.remote_bytes);
  set("remoteLists", counters.remote_lists);
  set("remoteEntries", counters.remote_entries);
  set("servedRows", counters.served_rows);
  set("servedLists", counters.served_lists);
  set("servedEntries", counters.served_entries);
  set("servedBytes", counters.served_bytes);
  return object;
}

Napi::Object to_object(Napi::Env env, gnn::DrawnLists&& lists, bool has_values) {
  std::vector<int32_t> indptr(lists.counts.size() + 1);
  std::partial_sum(lists.counts.begin(), lists.counts.end(), indptr.begin() + 1);
  Napi::Object object = Napi::Object::New(env);
  object.Set("indptr", to_typed_array(env, std::move(indptr)));
  object.Set("entries", to_typed_array(env, std::move(lists.entries)));
  object.Set("values", has_values ? to_typed_array(env, std::move(lists.values)) : env.Null());
  return object;
}

}  // namespace hopwise
