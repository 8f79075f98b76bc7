// Collectives for JavaScript: one thread per context works off a queue in order. The thread is detached, so that a
// process may exit while an operation waits for a lost rank; nothing can unblock Gloo before its time-out.
#include <deque>
#include <functional>
#include <thread>

#include "export_kernel.h"
#include "js_key_store.h"
#include "registry.h"

namespace hopwise {
namespace {

struct Job {
  std::function<void(gnn::GlooCollective&)> run;
  Napi::Promise::Deferred done;
  Napi::ObjectReference kept;  // memory that `run` works on
  const char* code = nullptr;
  std::string message;
};

class CollectiveThread : public std::enable_shared_from_this<CollectiveThread> {
 public:
  CollectiveThread(Napi::ThreadSafeFunction js, gnn::CollectiveOptions options)
      : js_(js), collective_(options, std::make_shared<JsKeyStore>(js, options.timeout)) {}

  void start() {
    std::thread([self = shared_from_this()] { self->work(); }).detach();
  }

  // On the JavaScript thread. Pending jobs keep the event loop alive, an idle collective does not.
  Napi::Promise submit(Napi::Env env, std::function<void(gnn::GlooCollective&)> run, Napi::Value kept) {
    auto job = std::make_shared<Job>(Job{std::move(run), Napi::Promise::Deferred::New(env), {}, nullptr, ""});
    if (kept.IsObject()) job->kept = Napi::Persistent(kept.As<Napi::Object>());
    const Napi::Promise promise = job->done.Promise();
    if (pending_++ == 0) js_.Ref(env);
    push(std::move(job));
    return promise;
  }

  // The thread ends after what is queued; later jobs are refused by the JavaScript side.
  void stop() { push(nullptr); }

 private:
  void push(std::shared_ptr<Job> job) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
    arrived_.notify_one();
  }

  std::shared_ptr<Job> next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !queue_.empty(); });
    auto job = std::move(queue_.front());
    queue_.pop_front();
    return job;
  }

  void work() {
    while (auto job = next()) {
      try {
        job->run(collective_);
      } catch (const gnn::Error& error) {
        job->code = error.code();
        job->message = error.what();
      }
      const auto settle = [self = shared_from_this(), job](Napi::Env env, Napi::Function) { self->settle(env, *job); };
      if (js_.BlockingCall(settle) != napi_ok) return;
    }
    js_.Release();
  }

  void settle(Napi::Env env, Job& job) {
    if (!env) return;
    if (--pending_ == 0) js_.Unref(env);
    job.kept.Reset();
    if (!job.code) return job.done.Resolve(env.Undefined());
    const Napi::Error error = Napi::Error::New(env, job.message);
    error.Set("code", Napi::String::New(env, job.code));
    job.done.Reject(error.Value());
  }

  Napi::ThreadSafeFunction js_;
  gnn::GlooCollective collective_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Job>> queue_;
  int pending_ = 0;  // JavaScript thread only
};

using Handle = std::shared_ptr<CollectiveThread>;

CollectiveThread& thread_of(const Napi::Value& value) { return **value.As<Napi::External<Handle>>().Data(); }

Napi::Value create_collective(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto options = info[0].As<Napi::Object>();
  auto js = Napi::ThreadSafeFunction::New(env, info[1].As<Napi::Function>(), "collective", 0, 1);
  js.Unref(env);
  auto* handle = new Handle(std::make_shared<CollectiveThread>(
      js, gnn::CollectiveOptions{options.Get("rank").As<Napi::Number>(), options.Get("worldSize").As<Napi::Number>(),
                                 options.Get("address").As<Napi::String>(),
                                 std::chrono::milliseconds(options.Get("timeoutMs").As<Napi::Number>().Int64Value()),
                                 options.Get("firstPort").As<Napi::Number>(),
                                 options.Get("lastPort").As<Napi::Number>()}));
  (*handle)->start();
  return Napi::External<Handle>::New(env, handle, [](Napi::Env, Handle* owned) {
    (*owned)->stop();
    delete owned;
  });
}

Napi::Value connect(const Napi::CallbackInfo& info) {
  return thread_of(info[0]).submit(info.Env(), [](gnn::GlooCollective& collective) { collective.connect(); }, info[0]);
}

Napi::Value all_reduce_sum(const Napi::CallbackInfo& info) {
  auto values = info[1].As<Napi::Float32Array>();
  float* data = values.Data();
  const size_t count = values.ElementLength();
  return thread_of(info[0]).submit(
      info.Env(), [data, count](gnn::GlooCollective& collective) { collective.all_reduce_sum(data, count); }, values);
}

Napi::Value barrier(const Napi::CallbackInfo& info) {
  return thread_of(info[0]).submit(info.Env(), [](gnn::GlooCollective& collective) { collective.barrier(); }, info[0]);
}

// Resolves when everything queued before has ended and the connections are closed.
Napi::Value close(const Napi::CallbackInfo& info) {
  CollectiveThread& thread = thread_of(info[0]);
  const auto promise = thread.submit(info.Env(), [](gnn::GlooCollective& collective) { collective.close(); }, info[0]);
  thread.stop();
  return promise;
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<create_collective>(env, exports,
      "createCollective(options: CollectiveOptions, request: StoreRequest)");
  export_function<connect>(env, exports, "collectiveConnect(collective: CollectiveHandle)");
  export_function<all_reduce_sum>(env, exports,
      "collectiveAllReduceSum(collective: CollectiveHandle, values: Float32Array)");
  export_function<barrier>(env, exports, "collectiveBarrier(collective: CollectiveHandle)");
  export_function<close>(env, exports, "collectiveClose(collective: CollectiveHandle)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
