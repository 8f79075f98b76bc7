#pragma once
// Streams and events of a device. Work of one stream is done in its order; streams wait for each other by events.
#include <memory>

#include "gnn/device/driver.h"
#include "gnn/device/precision.h"

namespace gnn::device {

class MemoryPool;

class Event {
 public:
  Event() : state_(driver::create_event()) {}
  ~Event() { driver::destroy(state_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  bool is_done() const { return driver::is_done(state_); }
  void synchronize() const { driver::synchronize(state_); }
  driver::EventState* state() const { return state_; }

 private:
  driver::EventState* state_;
};

// Used by one thread at a time. Arrays of its pool must be gone before it goes.
class Stream {
 public:
  // Short kernels that others wait for are urgent: those of other streams that have not begun let them pass.
  enum class Urgency { kUsual, kUrgent };
  explicit Stream(Urgency urgency = Urgency::kUsual);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void record(const Event& event) { driver::record(event.state(), state_); }
  // What is enqueued here from now on comes after the event.
  void wait(const Event& event) { driver::wait(state_, event.state()); }
  // Blocks the host until everything enqueued is done. Throws DEVICE_FAULT when a kernel failed.
  void synchronize();
  // As synchronize, of a stream that runs ahead of the work of its process, in a thread of its own.
  void synchronize_ahead();

  driver::StreamState* state() const { return state_; }
  MemoryPool& memory() { return *memory_; }
  // A number of the device that is zero between kernels: those whose last block has something to do count their blocks
  // in it (last_block.h). Kernels of a stream run one after the other: one is enough.
  unsigned* ticket();
  // Pinned memory of the host for one number that comes down.
  void* word();
  // What products that are enqueued from now on multiply with.
  Precision precision() const { return precision_; }
  void set_precision(Precision precision) { precision_ = precision; }

 private:
  driver::StreamState* state_;
  std::unique_ptr<MemoryPool> memory_;
  unsigned* ticket_ = nullptr;
  void* word_ = nullptr;
  Precision precision_ = Precision::kFp32;
};

}  // namespace gnn::device
