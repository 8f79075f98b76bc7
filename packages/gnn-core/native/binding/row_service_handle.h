#pragma once
// A row service for JavaScript. Its store stays referenced by it; its threads have ended before it is freed.
#include <napi.h>

#include <functional>
#include <initializer_list>
#include <list>
#include <memory>
#include <vector>

#include "gnn/rows/row_service.h"
#include "js_thread_link.h"

namespace hopwise {

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

  // Runs `work` with a callback that settles the promise, with `result` if there is one. Pending promises keep the
  // event loop alive.
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

}  // namespace hopwise
