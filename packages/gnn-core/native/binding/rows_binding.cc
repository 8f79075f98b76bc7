// Row stores and row services for JavaScript. Arrays that are hosted stay referenced by their store, and stores by their
// service, whose threads have ended before it is freed.
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "arguments.h"
#include "arrays.h"
#include "export_kernel.h"
#include "gnn/rows/row_batch.h"
#include "gnn/rows/row_service.h"
#include "gnn/sampling/counter_rng.h"
#include "js_thread_link.h"
#include "part_views.h"

namespace hopwise {
namespace {

struct StoreHandle {
  std::shared_ptr<gnn::RowStore> store;
  std::unordered_map<std::string, Napi::ObjectReference> values;
};

// What the JavaScript thread knows of a service; its callbacks may outlive the service.
struct ServiceState {
  struct Job {
    Napi::Promise::Deferred done;
    Napi::Reference<Napi::Array> kept;
    std::function<Napi::Value(Napi::Env)> result;
  };

  explicit ServiceState(Napi::ThreadSafeFunction function) : js(std::move(function)) {}

  void settle(Napi::Env env, std::list<Job>::iterator job, const gnn::Error* error);
  void thread_ended(Napi::Env env);

  Napi::ThreadSafeFunction js;
  std::list<Job> jobs;
  std::vector<Napi::Promise::Deferred> closing;
  int num_running = 2;
  bool is_closing = false;
};

class ServiceHandle {
 public:
  ServiceHandle(Napi::Env env, Napi::Value store, const gnn::RowServiceOptions& options);
  // Waits for the threads, then lets the hosted arrays go.
  ~ServiceHandle() { service_.reset(); }

  gnn::RowService& service() { return *service_; }

  // Runs `work` with a callback that settles the promise, with `result` if there is one. Pending promises keep the event
  // loop alive.
  Napi::Promise submit(Napi::Env env, std::initializer_list<Napi::Value> keep,
                       const std::function<void(std::function<void(const gnn::Error*)>)>& work,
                       std::function<Napi::Value(Napi::Env)> result = {});
  Napi::Promise close(Napi::Env env);

 private:
  Napi::ObjectReference store_;
  std::shared_ptr<ServiceState> state_;
  std::shared_ptr<JsThreadLink> client_link_;
  std::unique_ptr<gnn::RowService> service_;
};

StoreHandle& store_of(const Napi::Value& value) { return *value.As<Napi::External<StoreHandle>>().Data(); }
ServiceHandle& service_of(const Napi::Value& value) { return *value.As<Napi::External<ServiceHandle>>().Data(); }

Napi::Value to_error(Napi::Env env, const gnn::Error& error) {
  const Napi::Error made = Napi::Error::New(env, error.what());
  made.Set("code", Napi::String::New(env, error.code()));
  return made.Value();
}

ServiceHandle::ServiceHandle(Napi::Env env, Napi::Value store, const gnn::RowServiceOptions& options)
    : store_(Napi::Persistent(store.As<Napi::Object>())) {
  auto js = Napi::ThreadSafeFunction::New(env, Napi::Function::New(env, [](const Napi::CallbackInfo&) {}), "rows", 0, 2);
  js.Unref(env);
  state_ = std::make_shared<ServiceState>(js);
  client_link_ = std::make_shared<JsThreadLink>(js);
  const auto server_link = std::make_shared<JsThreadLink>(js);
  const auto last_act = [state = state_](std::shared_ptr<JsThreadLink> link) {
    return [state, link = std::move(link)] {
      link->call([state](Napi::Env ended_env) { state->thread_ended(ended_env); });
      link->release();
    };
  };
  try {
    service_ = std::make_unique<gnn::RowService>(store_of(store).store, options, last_act(server_link),
                                                 last_act(client_link_));
  } catch (...) {
    server_link->release();
    client_link_->release();
    throw;
  }
}

Napi::Promise ServiceHandle::submit(Napi::Env env, std::initializer_list<Napi::Value> keep,
                                    const std::function<void(std::function<void(const gnn::Error*)>)>& work,
                                    std::function<Napi::Value(Napi::Env)> result) {
  if (state_->is_closing) throw gnn::Error("RANK_LOST", "The row service is closed.");
  Napi::Array kept = Napi::Array::New(env, keep.size());
  uint32_t i = 0;
  for (const Napi::Value& value : keep) kept.Set(i++, value);
  state_->jobs.push_back({Napi::Promise::Deferred::New(env), Napi::Persistent(kept), std::move(result)});
  const auto job = std::prev(state_->jobs.end());
  if (state_->jobs.size() == 1) state_->js.Ref(env);
  const Napi::Promise promise = job->done.Promise();
  work([state = state_, link = client_link_, job](const gnn::Error* error) {
    std::shared_ptr<gnn::Error> copy = error ? std::make_shared<gnn::Error>(*error) : nullptr;
    link->call([state, job, copy](Napi::Env settle_env) { state->settle(settle_env, job, copy.get()); });
  });
  return promise;
}

void ServiceState::settle(Napi::Env env, std::list<Job>::iterator job, const gnn::Error* error) {
  const Napi::Promise::Deferred done = job->done;
  const auto result = std::move(job->result);
  jobs.erase(job);
  if (jobs.empty() && !is_closing) js.Unref(env);
  if (error) done.Reject(to_error(env, *error));
  else done.Resolve(result ? result(env) : env.Undefined());
}

Napi::Promise ServiceHandle::close(Napi::Env env) {
  const auto done = Napi::Promise::Deferred::New(env);
  if (state_->num_running == 0) {
    done.Resolve(env.Undefined());
    return done.Promise();
  }
  state_->closing.push_back(done);
  if (!state_->is_closing) {
    state_->is_closing = true;
    state_->js.Ref(env);
    service_->close();
  }
  return done.Promise();
}

void ServiceState::thread_ended(Napi::Env env) {
  if (--num_running > 0) return;
  for (const Napi::Promise::Deferred& done : closing) done.Resolve(env.Undefined());
  closing.clear();
}

const gnn::RowOp kOps[] = {gnn::RowOp::kGet, gnn::RowOp::kSet, gnn::RowOp::kAdd};

// The bytes of a typed array, which must have exactly `expected` of them.
uint8_t* bytes_of(const Napi::Value& value, const char* name, int64_t expected) {
  if (!value.IsTypedArray()) throw gnn::Error("SHAPE_MISMATCH", std::string(name) + " is not a typed array.");
  const auto array = value.As<Napi::TypedArray>();
  if (static_cast<int64_t>(array.ByteLength()) != expected) {
    throw gnn::Error("SHAPE_MISMATCH", std::string(name) + " has " + std::to_string(array.ByteLength()) +
                                           " bytes; expected " + std::to_string(expected) + ".");
  }
  return static_cast<uint8_t*>(array.ArrayBuffer().Data()) + array.ByteOffset();
}

struct BatchArguments {
  gnn::RowOp op;
  std::string table;
  const int32_t* ids;
  int64_t count;
  uint8_t* rows;
};

// (…, op, table, ids, rows) from `first` on; the table says how long rows are.
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

// (…, ids, fanout, replace, hop, seed, epoch, step) from `first` on
struct DrawArguments {
  const int32_t* ids;
  int64_t count;
  gnn::ListDraw draw;
};

DrawArguments read_draw(const Napi::CallbackInfo& info, size_t first) {
  const auto ids = info[first].As<Napi::Int32Array>();
  const auto number = [&](size_t i) { return static_cast<uint64_t>(info[first + i].As<Napi::Number>().Int64Value()); };
  const uint64_t stream = gnn::hop_stream({number(4), number(5), number(6)}, number(3));
  return {ids.Data(), static_cast<int64_t>(ids.ElementLength()),
          {info[first + 1].As<Napi::Number>(), info[first + 2].As<Napi::Boolean>(), stream}};
}

// {indptr, entries, values | null}
Napi::Object to_object(Napi::Env env, gnn::DrawnLists&& lists, bool has_values) {
  std::vector<int32_t> indptr(lists.counts.size() + 1);
  std::partial_sum(lists.counts.begin(), lists.counts.end(), indptr.begin() + 1);
  Napi::Object object = Napi::Object::New(env);
  object.Set("indptr", to_typed_array(env, std::move(indptr)));
  object.Set("entries", to_typed_array(env, std::move(lists.entries)));
  object.Set("values", has_values ? to_typed_array(env, std::move(lists.values)) : env.Null());
  return object;
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

// (service, store, timeoutMs, name, draw …)
Napi::Value draw_service_lists(const Napi::CallbackInfo& info) {
  ServiceHandle& handle = service_of(info[0]);
  const std::string name = info[3].As<Napi::String>();
  const bool has_values = store_of(info[1]).store->lists(name)->has_values();
  const DrawArguments asked = read_draw(info, 4);
  const std::chrono::milliseconds timeout(info[2].As<Napi::Number>().Int64Value());
  const auto lists = std::make_shared<gnn::DrawnLists>();
  return handle.submit(
      info.Env(), {info[0], info[4]},
      [&](std::function<void(const gnn::Error*)> done) {
        // The call owns the lists until it is settled.
        handle.service().call({gnn::RowOp::kDraw, name, asked.ids, asked.count, nullptr, nullptr, timeout,
                               [lists, done = std::move(done)](const gnn::Error* error) { done(error); }, asked.draw,
                               lists.get()});
      },
      [lists, has_values](Napi::Env env) { return to_object(env, std::move(*lists), has_values); });
}

// (store, {address, firstPort, lastPort, timeoutMs}, secret): [service, endpoint]
Napi::Value create_row_service(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto given = info[1].As<Napi::Object>();
  const auto number = [&](const char* name) { return given.Get(name).As<Napi::Number>().Int64Value(); };
  gnn::RowServiceOptions options;
  options.address = given.Get("address").As<Napi::String>();
  options.first_port = static_cast<int>(number("firstPort"));
  options.last_port = static_cast<int>(number("lastPort"));
  options.timeout = std::chrono::milliseconds(number("timeoutMs"));
  const auto secret = info[2].As<Napi::Uint8Array>();
  options.secret.assign(secret.Data(), secret.Data() + secret.ByteLength());
  auto handle = std::make_unique<ServiceHandle>(env, info[0], options);
  const std::string endpoint = handle->service().endpoint();
  Napi::Array made = Napi::Array::New(env, 2);
  made.Set(0u, Napi::External<ServiceHandle>::New(env, handle.release(),
                                                  [](Napi::Env, ServiceHandle* owned) { delete owned; }));
  made.Set(1u, endpoint);
  return made;
}

// (service, endpoints)
Napi::Value connect_row_service(const Napi::CallbackInfo& info) {
  const auto given = info[1].As<Napi::Array>();
  std::vector<std::string> endpoints;
  for (uint32_t i = 0; i < given.Length(); ++i) endpoints.push_back(given.Get(i).As<Napi::String>());
  ServiceHandle& handle = service_of(info[0]);
  return handle.submit(info.Env(), {info[0]}, [&](std::function<void(const gnn::Error*)> done) {
    handle.service().connect(std::move(endpoints), std::move(done));
  });
}

// (service, store, timeoutMs, op, table, ids, rows)
Napi::Value call_row_service(const Napi::CallbackInfo& info) {
  ServiceHandle& handle = service_of(info[0]);
  const BatchArguments batch = read_batch(info, 3, *store_of(info[1]).store);
  const std::chrono::milliseconds timeout(info[2].As<Napi::Number>().Int64Value());
  return handle.submit(info.Env(), {info[0], info[5], info[6]}, [&](std::function<void(const gnn::Error*)> done) {
    handle.service().call(
        {batch.op, batch.table, batch.ids, batch.count, batch.rows, batch.rows, timeout, std::move(done)});
  });
}

Napi::Value close_row_service(const Napi::CallbackInfo& info) { return service_of(info[0]).close(info.Env()); }

Napi::Value row_service_counters(const Napi::CallbackInfo& info) {
  return to_object(info.Env(), service_of(info[0]).service().counters());
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<create_row_store>(env, exports, "createRowStore");
  exports.Set("hostRows", Napi::Function::New<with_errors<host_rows>>(env, "hostRows"));
  exports.Set("hostLists", Napi::Function::New<with_errors<host_lists>>(env, "hostLists"));
  exports.Set("drawGroupLists", Napi::Function::New<with_errors<draw_group_lists>>(env, "drawGroupLists"));
  exports.Set("drawServiceLists", Napi::Function::New<with_errors<draw_service_lists>>(env, "drawServiceLists"));
  exports.Set("applyRowWrites", Napi::Function::New<with_errors<apply_row_writes>>(env, "applyRowWrites"));
  exports.Set("takeRowSums", Napi::Function::New<with_errors<take_row_sums>>(env, "takeRowSums"));
  exports.Set("callRowGroup", Napi::Function::New<with_errors<call_row_group>>(env, "callRowGroup"));
  exports.Set("createRowService", Napi::Function::New<with_errors<create_row_service>>(env, "createRowService"));
  exports.Set("connectRowService", Napi::Function::New<with_errors<connect_row_service>>(env, "connectRowService"));
  exports.Set("callRowService", Napi::Function::New<with_errors<call_row_service>>(env, "callRowService"));
  exports.Set("closeRowService", Napi::Function::New<with_errors<close_row_service>>(env, "closeRowService"));
  exports.Set("rowServiceCounters",
              Napi::Function::New<with_errors<row_service_counters>>(env, "rowServiceCounters"));
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
