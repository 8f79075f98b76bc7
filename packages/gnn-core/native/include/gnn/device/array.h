#pragma once
// Arrays on a device, and arrays of the host that it copies from and to without a stop.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "gnn/device/counters.h"
#include "gnn/device/memory_pool.h"
#include "gnn/device/stream.h"
#include "gnn/error.h"

namespace gnn::device {

// `count` elements of a stream's pool, contents undefined. Given back in the order of the stream: kernels that were
// enqueued before may still run. The host never reads or writes what data() points to.
template <typename T>
class Array {
 public:
  Array() = default;
  Array(Stream& stream, int64_t count)
      : pool_(&stream.memory()), count_(count), data_(static_cast<T*>(pool_->take(bytes_of(count)))) {}
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() {
    if (data_ == nullptr) return;
    try {
      give_back();
    } catch (const Error&) {
      // A device that has failed takes nothing back; what it failed at is thrown where somebody waits for it.
    }
  }

  T* data() const { return data_; }
  int64_t size() const { return count_; }
  // Another stream, which outlives this array, reads or writes it: its memory is not taken again before that is done.
  void used_by(Stream& stream) { last_user_ = &stream; }

 private:
  void give_back() {
    if (last_user_ == nullptr) return pool_->give(data_);
    auto event = std::make_unique<Event>();
    last_user_->record(*event);
    pool_->give_after(data_, std::move(event));
  }
  static size_t bytes_of(int64_t count) { return static_cast<size_t>(count) * sizeof(T); }
  void swap(Array& other) {
    std::swap(pool_, other.pool_);
    std::swap(last_user_, other.last_user_);
    std::swap(count_, other.count_);
    std::swap(data_, other.data_);
  }

  MemoryPool* pool_ = nullptr;
  Stream* last_user_ = nullptr;
  int64_t count_ = 0;
  T* data_ = nullptr;
};

// Enqueued; `from` must live and stay as it is until the stream has done it.
template <typename T>
void upload(T* to, const T* from, int64_t count, Stream& stream) {
  note_upload(static_cast<size_t>(count) * sizeof(T));
  driver::upload(to, from, static_cast<size_t>(count) * sizeof(T), stream.state());
}
// Enqueued; `to` holds the elements once the stream was synchronised.
template <typename T>
void download(T* to, const T* from, int64_t count, Stream& stream) {
  note(Counted::kDownload);
  driver::download(to, from, static_cast<size_t>(count) * sizeof(T), stream.state());
}
// As download, in a stream that runs ahead of the work of its process.
template <typename T>
void download_ahead(T* to, const T* from, int64_t count, Stream& stream) {
  note(Counted::kDownloadAhead);
  driver::download(to, from, static_cast<size_t>(count) * sizeof(T), stream.state());
}
template <typename T>
void copy(T* to, const T* from, int64_t count, Stream& stream) {
  driver::copy(to, from, static_cast<size_t>(count) * sizeof(T), stream.state());
}
template <typename T>
void zero(T* memory, int64_t count, Stream& stream) {
  driver::fill(memory, 0, static_cast<size_t>(count) * sizeof(T), stream.state());
}

}  // namespace gnn::device
