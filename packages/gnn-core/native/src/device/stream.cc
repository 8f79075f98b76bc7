#include "gnn/device/stream.h"

#include "gnn/device/counters.h"
#include "gnn/device/memory_pool.h"
#include "gnn/error.h"

namespace gnn::device {

Stream::Stream(Urgency urgency)
    : state_(driver::create_stream(urgency == Urgency::kUrgent)), memory_(std::make_unique<MemoryPool>(state_)) {}

Stream::~Stream() {
  memory_.reset();
  try {
    if (ticket_ != nullptr) driver::release(ticket_);
  } catch (const Error&) {
    // A device that has failed takes nothing back.
  }
  if (word_ != nullptr) driver::release_pinned(word_);
  driver::destroy(state_);
}

void Stream::synchronize_ahead() {
  note(Counted::kWaitAhead);
  driver::synchronize(state_);
}

unsigned* Stream::ticket() {
  if (ticket_ != nullptr) return ticket_;
  void* const memory = driver::allocate(sizeof(unsigned));
  if (memory == nullptr) throw Error("DEVICE_OUT_OF_MEMORY", "The device has no memory left, not even for a number.");
  driver::note_taken(memory, sizeof(unsigned), state_);
  driver::fill(memory, 0, sizeof(unsigned), state_);
  ticket_ = static_cast<unsigned*>(memory);
  return ticket_;
}

void* Stream::word() {
  if (word_ == nullptr) word_ = driver::allocate_pinned(sizeof(double));
  if (word_ != nullptr) return word_;
  throw Error("DEVICE_OUT_OF_MEMORY", "The host has no memory left that can be pinned, not even for a number.");
}

void Stream::synchronize() {
  note(Counted::kSynchronize);
  driver::synchronize(state_);
}

}  // namespace gnn::device
