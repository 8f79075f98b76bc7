#pragma once
// A KeyStore whose keys live wherever JavaScript keeps them. Called from the collective's thread; the answers come
// from the JavaScript thread, possibly after the caller has given up, so they share their state.
#include <napi.h>

#include <condition_variable>
#include <memory>
#include <mutex>

#include "gnn/dist/gloo_collective.h"
#include "gnn/error.h"

namespace hopwise {

class JsKeyStore : public gnn::KeyStore {
 public:
  // `request` is (op: "set" | "get", key, bytes, timeoutMs) => Promise<Uint8Array | undefined>.
  JsKeyStore(Napi::ThreadSafeFunction request, std::chrono::milliseconds timeout)
      : request_(std::move(request)), timeout_(timeout) {}

  void set(const std::string& key, const std::vector<char>& bytes) override { ask("set", key, bytes, timeout_); }
  std::vector<char> get(const std::string& key, std::chrono::milliseconds timeout) override {
    return ask("get", key, {}, timeout);
  }

 private:
  struct Answer {
    std::mutex mutex;
    std::condition_variable arrived;
    bool done = false;
    bool failed = false;
    std::vector<char> bytes;
    std::string message;

    void settle(bool has_failed, std::vector<char> value, std::string text) {
      const std::lock_guard lock(mutex);
      done = true;
      failed = has_failed;
      bytes = std::move(value);
      message = std::move(text);
      arrived.notify_all();
    }
  };

  std::vector<char> ask(const char* op, const std::string& key, const std::vector<char>& bytes,
                        std::chrono::milliseconds timeout) {
    auto answer = std::make_shared<Answer>();
    const double timeout_ms = static_cast<double>(timeout.count());
    const napi_status status = request_.BlockingCall([=](Napi::Env env, Napi::Function request) {
      call(env, request, op, key, bytes, timeout_ms, answer);
    });
    if (status != napi_ok) throw gnn::Error("RANK_LOST", "The process is ending.");
    std::unique_lock lock(answer->mutex);
    // The request times itself out; the margin lets its own, better message arrive first.
    if (!answer->arrived.wait_for(lock, timeout + std::chrono::milliseconds(500), [&] { return answer->done; })) {
      throw gnn::Error("RANK_TIMEOUT", "The rendezvous store did not answer for key " + key + ".");
    }
    if (answer->failed) throw gnn::Error("RANK_TIMEOUT", answer->message);
    return answer->bytes;
  }

  static void call(Napi::Env env, Napi::Function request, const char* op, const std::string& key,
                   const std::vector<char>& bytes, double timeout_ms, const std::shared_ptr<Answer>& answer) {
    if (!env) return;
    try {
      auto data = Napi::Uint8Array::New(env, bytes.size());
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(data.Data()));
      const auto promise = request.Call({Napi::String::New(env, op), Napi::String::New(env, key), data,
                                         Napi::Number::New(env, timeout_ms)}).As<Napi::Object>();
      const auto resolved = Napi::Function::New(env, [answer](const Napi::CallbackInfo& info) {
        std::vector<char> value;
        if (info[0].IsTypedArray()) {
          const auto array = info[0].As<Napi::Uint8Array>();
          value.assign(array.Data(), array.Data() + array.ByteLength());
        }
        answer->settle(false, std::move(value), "");
      });
      const auto rejected = Napi::Function::New(env, [answer](const Napi::CallbackInfo& info) {
        const Napi::Value message = info[0].IsObject() ? info[0].As<Napi::Object>().Get("message") : info[0];
        const std::string text = message.ToString();
        answer->settle(true, {}, text);
      });
      promise.Get("then").As<Napi::Function>().Call(promise, {resolved, rejected});
    } catch (const Napi::Error& error) {
      answer->settle(true, {}, error.Message());
    }
  }

  Napi::ThreadSafeFunction request_;
  std::chrono::milliseconds timeout_;
};

}  // namespace hopwise
