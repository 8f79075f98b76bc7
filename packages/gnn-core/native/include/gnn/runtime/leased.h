#pragma once
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gnn {

// A T that is kept for the next taker, as its last one left it: working memory that is paged in once. There are as many
// as were in use at a time; memory of each thread instead would be there once per thread of a pool that takes turns.
template <typename T>
class Leased {
 public:
  Leased() : value_(take()) {}
  ~Leased() {
    const std::lock_guard<std::mutex> lock(kept().mutex);
    kept().free.push_back(std::move(value_));
  }
  Leased(const Leased&) = delete;
  Leased& operator=(const Leased&) = delete;
  T& operator*() const { return *value_; }
  T* operator->() const { return value_.get(); }

 private:
  struct Kept {
    std::mutex mutex;
    std::vector<std::unique_ptr<T>> free;
  };

  // Leaked on purpose: a thread of the pool may still hold one while the process exits.
  static Kept& kept() {
    static Kept* all = new Kept;
    return *all;
  }

  static std::unique_ptr<T> take() {
    const std::lock_guard<std::mutex> lock(kept().mutex);
    if (kept().free.empty()) return std::make_unique<T>();
    std::unique_ptr<T> last = std::move(kept().free.back());
    kept().free.pop_back();
    return last;
  }

  std::unique_ptr<T> value_;
};

}  // namespace gnn
