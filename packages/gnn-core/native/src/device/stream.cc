#include "gnn/device/stream.h"

#include "gnn/device/counters.h"
#include "gnn/device/memory_pool.h"
#include "gnn/error.h"

namespace gnn::device {

Stream::Stream() : state_(driver::create_stream()), memory_(std::make_unique<MemoryPool>(state_)) {}

Stream::~Stream() {
  memory_.reset();
  try {
    if (ticket_ != nullptr) driver::release(ticket_);
  } catch (const Error&) {
    // A device that has failed takes nothing back.
  }
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

void Stream::synchronize() {
  note(Counted::kSynchronize);
  driver::synchronize(state_);
}

}  // namespace gnn::device
