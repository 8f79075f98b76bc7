#include "row_service_handle.h"

#include <utility>

#include "row_arguments.h"

namespace hopwise {
namespace {

Napi::Value to_error(Napi::Env env, const gnn::Error& error) {
  const Napi::Error made = Napi::Error::New(env, error.what());
  made.Set("code", Napi::String::New(env, error.code()));
  return made.Value();
}

}  // namespace

ServiceHandle::ServiceHandle(Napi::Env env, Napi::Value store, const gnn::RowServiceOptions& options)
    : store_(Napi::Persistent(store.As<Napi::Object>())) {
  auto js =
      Napi::ThreadSafeFunction::New(env, Napi::Function::New(env, [](const Napi::CallbackInfo&) {}), "rows", 0, 2);
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

}  // namespace hopwise
