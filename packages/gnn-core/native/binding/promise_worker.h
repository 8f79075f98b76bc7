#pragma once
// Runs library code on libuv's pool and settles a promise; gnn::Error arrives as an Error with its code.
#include <napi.h>

#include <exception>
#include <functional>
#include <new>
#include <utility>

#include "gnn/error.h"
#include "registry.h"

namespace hopwise {

template <typename Result>
class PromiseWorker : public Napi::AsyncWorker {
 public:
  using Work = std::function<Result()>;
  using Finish = std::function<Napi::Value(Napi::Env, Result&&)>;

  // `keep` are the values whose memory `work` reads: they stay alive until it has finished.
  static Napi::Promise start(Napi::Env env, std::initializer_list<Napi::Value> keep, Work work, Finish finish) {
    auto* worker = new PromiseWorker(env, std::move(work), std::move(finish));
    Napi::Array kept = Napi::Array::New(env, keep.size());
    uint32_t i = 0;
    for (const Napi::Value& value : keep) kept.Set(i++, value);
    worker->kept_ = Napi::Persistent(kept);
    Napi::Promise promise = worker->deferred_.Promise();
    worker->Queue();
    return promise;
  }

 protected:
  void Execute() override {
    try {
      result_ = work_();
    } catch (const gnn::Error& error) {
      code_ = error.code();
      SetError(error.what());
    } catch (const std::exception& error) {
      SetError(error.what());
    }
  }

  void OnOK() override { deferred_.Resolve(finish_(Env(), std::move(result_))); }

  void OnError(const Napi::Error& error) override {
    if (code_) error.Set("code", Napi::String::New(Env(), code_));
    deferred_.Reject(error.Value());
  }

 private:
  PromiseWorker(Napi::Env env, Work work, Finish finish)
      : Napi::AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)), work_(std::move(work)),
        finish_(std::move(finish)) {}

  Napi::Promise::Deferred deferred_;
  Napi::Reference<Napi::Array> kept_;
  Work work_;
  Finish finish_;
  Result result_{};
  const char* code_ = nullptr;
};

// Calls library code on the JavaScript thread; gnn::Error becomes an Error with its code.
template <typename Work>
auto guarded(Napi::Env env, Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const gnn::Error& error) {
    throw_gnn_error(env, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    throw Napi::RangeError::New(env, "The system has no memory left for a native kernel.");
  }
}

}  // namespace hopwise
