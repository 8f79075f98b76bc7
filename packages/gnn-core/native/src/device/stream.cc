#include "gnn/device/stream.h"

#include "gnn/device/counters.h"
#include "gnn/device/memory_pool.h"

namespace gnn::device {

Stream::Stream() : state_(driver::create_stream()), memory_(std::make_unique<MemoryPool>(state_)) {}

Stream::~Stream() {
  memory_.reset();
  driver::destroy(state_);
}

void Stream::synchronize() {
  note(Counted::kSynchronize);
  driver::synchronize(state_);
}

}  // namespace gnn::device
