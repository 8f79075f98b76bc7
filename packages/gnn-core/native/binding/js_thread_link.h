#pragma once
// One native thread's hold on a ThreadSafeFunction: it may call until the environment ends, and lets go as its last
// act.
#include <napi.h>

#include <functional>
#include <utility>

namespace hopwise {

class JsThreadLink {
 public:
  explicit JsThreadLink(Napi::ThreadSafeFunction js) : js_(std::move(js)) {}

  // For that thread only. False when the environment is ending: nothing runs there any more.
  bool call(std::function<void(Napi::Env)> work) {
    if (is_over_) return false;
    const auto run = [work = std::move(work)](Napi::Env env, Napi::Function) {
      if (env) work(env);
    };
    // A refused call has let go already.
    is_over_ = js_.BlockingCall(run) != napi_ok;
    return !is_over_;
  }

  void release() {
    if (!is_over_) js_.Release();
    is_over_ = true;
  }

 private:
  Napi::ThreadSafeFunction js_;
  bool is_over_ = false;
};

}  // namespace hopwise
