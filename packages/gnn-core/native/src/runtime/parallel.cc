#include "gnn/runtime/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace gnn {
namespace {

struct Task {
  const std::function<void(int64_t, int64_t)>* body;
  int64_t count;
  int64_t chunk;
  std::atomic<int64_t> next{0};
  std::mutex failing{};
  std::exception_ptr failure{};

  // An exception may not leave a worker thread: the first one is kept for the caller and the rest is skipped.
  void drain() {
    try {
      for (;;) {
        const int64_t begin = next.fetch_add(chunk);
        if (begin >= count) return;
        (*body)(begin, std::min(begin + chunk, count));
      }
    } catch (...) {
      std::lock_guard<std::mutex> lock(failing);
      if (!failure) failure = std::current_exception();
      next.store(count);
    }
  }
};

void pin_to(std::thread& thread, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  // A cpu outside the allowed set is refused; the worker then stays where the scheduler puts it.
  pthread_setaffinity_np(thread.native_handle(), sizeof set, &set);
}

class Pool {
 public:
  ~Pool() { resize(1, {}); }

  void resize(int count, const std::vector<int>& cpus) {
    std::lock_guard<std::mutex> owner(owner_);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
      wake_.notify_all();
    }
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
    stop_ = false;
    for (int i = 0; i + 1 < count; ++i) {
      workers_.emplace_back([this, seen = generation_] { work(seen); });
      if (i < static_cast<int>(cpus.size())) pin_to(workers_.back(), cpus[i]);
    }
    size_ = std::max(count, 1);
  }

  int size() const { return size_; }

  // False when the pool is taken; nothing has run then.
  bool try_run(Task& task) {
    std::unique_lock<std::mutex> owner(owner_, std::try_to_lock);
    if (!owner || workers_.empty()) return false;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      task_ = &task;
      ++generation_;
      busy_ = static_cast<int>(workers_.size());
      wake_.notify_all();
    }
    task.drain();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    return true;
  }

 private:
  void work(uint64_t seen) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
      Task* task = task_;
      lock.unlock();
      task->drain();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex owner_;  // held by the one caller that uses the workers
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, done_;
  std::vector<std::thread> workers_;
  Task* task_ = nullptr;
  uint64_t generation_ = 0;
  int busy_ = 0;
  bool stop_ = false;
  std::atomic<int> size_{1};
};

// Leaked on purpose: joining threads while the process exits could wait on a kernel of another thread.
Pool& pool() {
  static Pool* the_pool = new Pool;
  return *the_pool;
}

}  // namespace

void set_threads(int count, const std::vector<int>& cpus) { pool().resize(count, cpus); }
int threads() { return pool().size(); }

void parallel_for(int64_t count, int64_t chunk, const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) return;
  Task task{&body, count, chunk};
  if (count <= chunk || !pool().try_run(task)) task.drain();
  if (task.failure) std::rethrow_exception(task.failure);
}

}  // namespace gnn
