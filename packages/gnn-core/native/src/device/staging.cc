#include "gnn/device/staging.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "gnn/device/counters.h"
#include "gnn/error.h"

namespace gnn::device {

PinnedMemory::PinnedMemory(size_t bytes) : data_(static_cast<char*>(driver::allocate_pinned(bytes))), bytes_(bytes) {
  if (data_ != nullptr) return;
  throw Error("DEVICE_OUT_OF_MEMORY", "The host has no " + std::to_string(bytes) + " bytes left that can be pinned.");
}

char* Landing::room(size_t bytes) {
  if (memory_ == nullptr || memory_->size() < bytes) {
    memory_.reset();
    // Batches differ a little in size: the next one shall fit, too.
    memory_ = std::make_unique<PinnedMemory>(bytes + bytes / 4 + 64);
  }
  return memory_->data();
}

StagingRing::StagingRing(int slots, size_t slot_bytes) {
  for (int i = 0; i < slots; ++i) slots_.push_back(std::make_unique<Slot>(slot_bytes));
}

void StagingRing::upload(void* to, const void* from, size_t bytes, Stream& stream) {
  note_upload(bytes);
  for (size_t done = 0; done < bytes;) {
    Slot& slot = *slots_[next_++ % slots_.size()];
    if (slot.is_used) slot.copied.synchronize();
    const size_t count = std::min(bytes - done, slot.memory.size());
    std::memcpy(slot.memory.data(), static_cast<const char*>(from) + done, count);
    driver::upload(static_cast<char*>(to) + done, slot.memory.data(), count, stream.state());
    stream.record(slot.copied);
    slot.is_used = true;
    done += count;
  }
}

}  // namespace gnn::device
