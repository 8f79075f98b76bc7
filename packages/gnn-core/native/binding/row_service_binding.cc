// Calls over the network to the stores of other ranks, and the service that answers theirs.
#include "export_kernel.h"
#include "row_arguments.h"
#include "row_service_handle.h"

namespace hopwise {
namespace {

ServiceHandle& service_of(const Napi::Value& value) { return *value.As<Napi::External<ServiceHandle>>().Data(); }

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
  export_function<create_row_service>(env, exports,
      "createRowService(store: RowStoreHandle, options: RowServiceOptions, secret: Uint8Array)");
  export_function<connect_row_service>(env, exports,
      "connectRowService(service: RowServiceHandle, endpoints: readonly string[])");
  export_function<call_row_service>(env, exports,
      "callRowService(service: RowServiceHandle, store: RowStoreHandle, timeoutMs: number, op: RowOpCode, "
      "name: string, ids: Int32Array, rows: ArrayBufferView)");
  export_function<draw_service_lists>(env, exports,
      "drawServiceLists(service: RowServiceHandle, store: RowStoreHandle, timeoutMs: number, "
      "name: string, ids: Int32Array, fanout: number, replace: boolean, relation: number, hop: number, seed: number, "
      "epoch: number, step: number)");
  export_function<close_row_service>(env, exports, "closeRowService(service: RowServiceHandle)");
  export_function<row_service_counters>(env, exports, "rowServiceCounters(service: RowServiceHandle)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
