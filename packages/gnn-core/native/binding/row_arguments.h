#pragma once
// What calls on rows and lists carry, between JavaScript and the row stores.
#include <napi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "gnn/rows/row_batch.h"
#include "gnn/rows/row_service.h"

namespace hopwise {

// Arrays that are hosted stay referenced by their store.
struct StoreHandle {
  std::shared_ptr<gnn::RowStore> store;
  std::unordered_map<std::string, Napi::ObjectReference> values;
};

StoreHandle& store_of(const Napi::Value& value);

// The bytes of a typed array, which must have exactly `expected` of them.
uint8_t* bytes_of(const Napi::Value& value, const char* name, int64_t expected);

struct BatchArguments {
  gnn::RowOp op;
  std::string table;
  const int32_t* ids;
  int64_t count;
  uint8_t* rows;
};

// (…, op, table, ids, rows) from `first` on; the table says how long rows are.
BatchArguments read_batch(const Napi::CallbackInfo& info, size_t first, const gnn::RowStore& store);

// (…, ids, fanout, replace, relation, hop, seed, epoch, step) from `first` on; a negative relation: whole lists
struct DrawArguments {
  const int32_t* ids;
  int64_t count;
  gnn::ListDraw draw;
};

DrawArguments read_draw(const Napi::CallbackInfo& info, size_t first);

Napi::Object to_object(Napi::Env env, const gnn::RowCounters& counters);
// {indptr, entries, values | null}
Napi::Object to_object(Napi::Env env, gnn::DrawnLists&& lists, bool has_values);

}  // namespace hopwise
