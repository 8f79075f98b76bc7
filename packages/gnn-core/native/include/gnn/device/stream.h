#pragma once
// Streams and events of a device. Work of one stream is done in its order; streams wait for each other by events.
#include <memory>

#include "gnn/device/driver.h"

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
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void record(const Event& event) { driver::record(event.state(), state_); }
  // What is enqueued here from now on comes after the event.
  void wait(const Event& event) { driver::wait(state_, event.state()); }
  // Blocks the host until everything enqueued is done. Throws DEVICE_FAULT when a kernel failed.
  void synchronize();

  driver::StreamState* state() const { return state_; }
  MemoryPool& memory() { return *memory_; }

 private:
  driver::StreamState* state_;
  std::unique_ptr<MemoryPool> memory_;
};

}  // namespace gnn::device
