// Rows and lists that ranks host, and calls between stores of one process.
#include "arguments.h"
#include "arrays.h"
#include "export_kernel.h"
#include "part_views.h"
#include "row_arguments.h"

namespace hopwise {
namespace {

Napi::Value create_row_store(Arguments& arguments) {
  const int64_t rank = arguments.count("rank"), world_size = arguments.count("worldSize");
  if (rank >= world_size || world_size > 65536) arguments.fail("There is no such rank.");
  auto* handle = new StoreHandle{
      std::make_shared<gnn::RowStore>(static_cast<int>(rank), static_cast<int>(world_size)), {}};
  return Napi::External<StoreHandle>::New(arguments.env(), handle,
                                          [](Napi::Env, StoreHandle* owned) { delete owned; });
}

// (store, name, dtype, dim, offsets Float64Array, readOnly, values | null)
Napi::Value host_rows(const Napi::CallbackInfo& info) {
  StoreHandle& handle = store_of(info[0]);
  const std::string name = info[1].As<Napi::String>();
  const uint32_t dtype = info[2].As<Napi::Number>().Uint32Value();
  if (dtype >= gnn::kNumRowDtypes) throw gnn::Error("SPEC_INVALID", "There is no such type of rows.");
  gnn::RowSchema schema{static_cast<gnn::RowDtype>(dtype), info[3].As<Napi::Number>().Int64Value(), {},
                        info[5].As<Napi::Boolean>()};
  for (const double offset : to_vector<double>(info[4])) schema.offsets.push_back(static_cast<int64_t>(offset));
  const int rank = handle.store->rank();
  // Otherwise the store says what is wrong.
  const bool has_range = schema.offsets.size() == static_cast<size_t>(handle.store->world_size()) + 1 && schema.dim > 0;
  const bool collects = info[6].IsNull();
  uint8_t* values = nullptr;
  if (has_range && !collects) {
    const int64_t rows = schema.offsets[rank + 1] - schema.offsets[rank];
    values = bytes_of(info[6], ("The rows of \"" + name + "\"").c_str(), rows * schema.row_bytes());
    // An empty array may have no memory; null would mean that sums are collected.
    static uint8_t nothing;
    if (values == nullptr) values = &nothing;
  }
  handle.store->host(name, std::move(schema), values);
  if (!collects) handle.values[name] = Napi::Persistent(info[6].As<Napi::Object>());
  return info.Env().Undefined();
}

Napi::Value apply_row_writes(const Napi::CallbackInfo& info) {
  store_of(info[0]).store->table(info[1].As<Napi::String>())->apply_writes();
  return info.Env().Undefined();
}

Napi::Value take_row_sums(const Napi::CallbackInfo& info) {
  gnn::RowSums sums = store_of(info[0]).store->table(info[1].As<Napi::String>())->take_sums();
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("ids", to_typed_array(info.Env(), std::move(sums.ids)));
  object.Set("rows", to_typed_array(info.Env(), std::move(sums.rows)));
  return object;
}

// (stores, rank, sequence, op, table, ids, rows): what the call adds to the caller's counters
Napi::Value call_row_group(const Napi::CallbackInfo& info) {
  const auto handles = info[0].As<Napi::Array>();
  std::vector<std::shared_ptr<gnn::RowStore>> stores;
  for (uint32_t i = 0; i < handles.Length(); ++i) stores.push_back(store_of(handles[i]).store);
  const uint32_t rank = info[1].As<Napi::Number>().Uint32Value();
  if (rank >= stores.size()) throw gnn::Error("SPEC_INVALID", "There is no such rank.");
  const BatchArguments batch = read_batch(info, 3, *stores[rank]);
  const auto sequence = static_cast<uint64_t>(info[2].As<Napi::Number>().Int64Value());
  gnn::RowCounters counters;
  gnn::call_in_process(stores,
                       {batch.op, static_cast<int>(rank), sequence, batch.table, batch.ids, batch.count, batch.rows,
                        batch.rows},
                       counters);
  return to_object(info.Env(), counters);
}

// (store, name, offsets Float64Array, parts)
Napi::Value host_lists(const Napi::CallbackInfo& info) {
  StoreHandle& handle = store_of(info[0]);
  const std::string name = info[1].As<Napi::String>();
  std::vector<int64_t> offsets;
  for (const double offset : to_vector<double>(info[2])) offsets.push_back(static_cast<int64_t>(offset));
  handle.store->host_lists(name, std::move(offsets), parts_of(info[3]));
  handle.values["lists:" + name] = Napi::Persistent(info[3].As<Napi::Object>());
  return info.Env().Undefined();
}

// (stores, rank, name, draw …): [lists, what the call adds to the caller's counters]
Napi::Value draw_group_lists(const Napi::CallbackInfo& info) {
  const auto handles = info[0].As<Napi::Array>();
  std::vector<std::shared_ptr<gnn::RowStore>> stores;
  for (uint32_t i = 0; i < handles.Length(); ++i) stores.push_back(store_of(handles[i]).store);
  const uint32_t rank = info[1].As<Napi::Number>().Uint32Value();
  if (rank >= stores.size()) throw gnn::Error("SPEC_INVALID", "There is no such rank.");
  const std::string name = info[2].As<Napi::String>();
  const DrawArguments asked = read_draw(info, 3);
  gnn::RowCounters counters;
  gnn::DrawnLists lists;
  gnn::call_in_process(stores,
                       {gnn::RowOp::kDraw, static_cast<int>(rank), 0, name, asked.ids, asked.count, nullptr, nullptr,
                        asked.draw, &lists},
                       counters);
  Napi::Array both = Napi::Array::New(info.Env(), 2);
  both.Set(0u, to_object(info.Env(), std::move(lists), stores[rank]->lists(name)->has_values()));
  both.Set(1u, to_object(info.Env(), counters));
  return both;
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<create_row_store>(env, exports, "createRowStore(rank: number, worldSize: number)");
  export_function<host_rows>(env, exports,
      "hostRows(store: RowStoreHandle, name: string, dtype: number, dim: number, offsets: Float64Array, "
      "readOnly: boolean, values: ArrayBufferView | null)");
  export_function<host_lists>(env, exports,
      "hostLists(store: RowStoreHandle, name: string, offsets: Float64Array, parts: readonly CscPart[])");
  export_function<apply_row_writes>(env, exports, "applyRowWrites(store: RowStoreHandle, name: string)");
  export_function<take_row_sums>(env, exports, "takeRowSums(store: RowStoreHandle, name: string)");
  export_function<call_row_group>(env, exports,
      "callRowGroup(stores: readonly RowStoreHandle[], rank: number, sequence: number, op: RowOpCode, "
      "name: string, ids: Int32Array, rows: ArrayBufferView)");
  export_function<draw_group_lists>(env, exports,
      "drawGroupLists(stores: readonly RowStoreHandle[], rank: number, name: string, ids: Int32Array, "
      "fanout: number, replace: boolean, relation: number, hop: number, seed: number, epoch: number, step: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
