// The emulated device. Nothing of a stream runs before somebody waits for it, so that what is read too early is still
// poison, and a stream that should have waited for another finds that it has not run.
#include "gnn/device/driver.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "device/emulated/arena.h"
#include "device/emulated/host_memory.h"
#include "device/emulated/shared_memory.h"
#include "gnn/device/emulation.h"
#include "gnn/device/emulator.h"
#include "gnn/device/shared_library.h"
#include "gnn/error.h"

namespace gnn::device {
namespace {

// One thread at a time uses the device.
std::mutex& device_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

// What the first kernel that failed did wrong. Everything that is asked of the device from then on fails with it.
std::optional<Error>& fault() {
  static std::optional<Error>* const fault = new std::optional<Error>;
  return *fault;
}
void check_device() {
  if (fault()) throw *fault();
}

// Pieces of work until the device is lost; 0: it is not.
uint64_t& work_before_loss() {
  static uint64_t left = 0;
  return left;
}
void count_work() {
  if (work_before_loss() > 0 && --work_before_loss() == 0) {
    throw Error("DEVICE_LOST", "The emulated device is lost, as it was told to be.");
  }
}

struct Progress {
  uint64_t done = 0;
};

// Work that is to be done in its order; what returns false waits for somebody else, and is to be tried again. It
// outlives its stream while an event of it is waited for.
struct Queue {
  std::deque<std::function<bool()>> work;

  // Until `is_done`, or all of it; false when it must be tried again. What follows a failure is dropped, as by a GPU.
  template <typename Predicate>
  bool run_until(Predicate is_done) {
    try {
      while (!work.empty() && !is_done()) {
        if (!work.front()()) return false;
        work.pop_front();
        count_work();
      }
      return true;
    } catch (const Error& error) {
      work.clear();
      fault() = error;
      throw;
    }
  }
};

// Work that waits for nobody.
std::function<bool()> done_by(std::function<void()> work) {
  return [work = std::move(work)] {
    work();
    return true;
  };
}

class OpenArena {
 public:
  OpenArena() {
    emulation::Arena::instance().open();
    emulation::SharedMemory::instance().open();
  }
  ~OpenArena() {
    emulation::SharedMemory::instance().close();
    emulation::Arena::instance().close();
  }
};

template <typename Predicate>
bool try_to_run(Queue& queue, Predicate is_done) {
  const std::lock_guard lock(device_mutex());
  check_device();
  const OpenArena open;
  return queue.run_until(is_done);
}

template <typename Predicate>
void run(Queue& queue, Predicate is_done) {
  while (!try_to_run(queue, is_done)) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace

struct driver::StreamState {
  std::shared_ptr<Queue> queue = std::make_shared<Queue>();
};

struct driver::EventState {
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  uint64_t recorded = 0;
  std::shared_ptr<Queue> queue;
};

void emulation::enqueue(driver::StreamState* stream, std::function<void()> work) {
  const std::lock_guard lock(device_mutex());
  check_device();
  stream->queue->work.push_back(done_by(std::move(work)));
}

void emulation::reset_device() {
  const std::lock_guard lock(device_mutex());
  fault().reset();
}

void emulation::lose_device_after(uint64_t pieces) {
  const std::lock_guard lock(device_mutex());
  work_before_loss() = pieces;
}

namespace driver {

using emulation::Arena;
using emulation::enqueue;
using emulation::HostMemory;
using emulation::SharedMemory;

namespace {

void enqueue_polled(StreamState* stream, std::function<bool()> work) {
  const std::lock_guard lock(device_mutex());
  check_device();
  stream->queue->work.push_back(std::move(work));
}

void note(StreamState* stream, std::function<void()> work) {
  const std::lock_guard lock(device_mutex());
  if (!fault()) stream->queue->work.push_back(done_by(std::move(work)));
}

}  // namespace

const char* name() { return "emulation"; }
std::string bus_address() { return name(); }

StreamState* create_stream(bool) { return new StreamState; }
void destroy(StreamState* stream) { delete stream; }
void synchronize(StreamState* stream) {
  run(*stream->queue, [] { return false; });
}

EventState* create_event() {
  const std::lock_guard lock(device_mutex());
  check_device();
  return new EventState;
}
void destroy(EventState* event) { delete event; }
void record(EventState* event, StreamState* stream) {
  event->queue = stream->queue;
  enqueue(stream, [progress = event->progress, turn = ++event->recorded] { progress->done = turn; });
}
bool is_done(EventState* event) {
  const std::lock_guard lock(device_mutex());
  check_device();
  return event->progress->done == event->recorded;
}
void synchronize(EventState* event) {
  if (event->queue != nullptr) run(*event->queue, [&] { return event->progress->done == event->recorded; });
}
void wait(StreamState* stream, EventState* event) {
  if (event->queue == nullptr) return;
  enqueue_polled(stream, [progress = event->progress, turn = event->recorded, other = event->queue] {
    return progress->done >= turn || other->run_until([&] { return progress->done >= turn; });
  });
}

void* allocate(size_t bytes) {
  const std::lock_guard lock(device_mutex());
  check_device();
  return Arena::instance().allocate(bytes);
}
void release(void* memory) {
  const std::lock_guard lock(device_mutex());
  check_device();
  Arena::instance().release(memory);
}
void* allocate_pinned(size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory != nullptr) HostMemory::instance().add(memory, bytes);
  return memory;
}
void release_pinned(void* memory) {
  if (memory != nullptr) HostMemory::instance().remove(memory);
  std::free(memory);
}
bool register_host(const void* memory, size_t bytes) { return HostMemory::instance().add(memory, bytes); }
void unregister_host(const void* memory) { HostMemory::instance().remove(memory); }
const void* device_address(const void* memory) { return HostMemory::instance().address_of(memory); }

void* allocate_shared(size_t bytes) {
  const std::lock_guard lock(device_mutex());
  check_device();
  Arena& arena = Arena::instance();
  return arena.reserve(bytes) ? SharedMemory::instance().make(bytes) : nullptr;
}
void release_shared(void* memory) {
  const std::lock_guard lock(device_mutex());
  check_device();
  Arena::instance().unreserve(SharedMemory::instance().remove(memory));
}
MemoryHandle export_memory(void* memory) {
  const std::lock_guard lock(device_mutex());
  check_device();
  return SharedMemory::instance().handle_of(memory);
}
void* open_memory(const MemoryHandle& handle) {
  const std::lock_guard lock(device_mutex());
  check_device();
  return SharedMemory::instance().map(handle);
}
void close_memory(void* memory) {
  const std::lock_guard lock(device_mutex());
  check_device();
  SharedMemory::instance().remove(memory);
}

MemoryState memory_state() {
  const std::lock_guard lock(device_mutex());
  const Arena& arena = Arena::instance();
  return {arena.limit() - std::min(arena.limit(), arena.in_use()), arena.limit()};
}

void upload(void* to, const void* from, size_t bytes, StreamState* stream) { copy(to, from, bytes, stream); }
void download(void* to, const void* from, size_t bytes, StreamState* stream) { copy(to, from, bytes, stream); }
void copy(void* to, const void* from, size_t bytes, StreamState* stream) {
  if (bytes > 0) enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}
void fill(void* memory, int byte, size_t bytes, StreamState* stream) {
  if (bytes > 0) enqueue(stream, [=] { std::memset(memory, byte, bytes); });
}

namespace {

// Work that waits for other processes, which wait for this one: it is done without anybody's asking, as by a GPU.
void enqueue_for_peers(void* stream, bool (*work)(void*), void* state) {
  auto* const given = static_cast<StreamState*>(stream);
  enqueue_polled(given, [=] { return work(state); });
  std::thread([queue = given->queue] {
    try {
      run(*queue, [] { return false; });
    } catch (const Error&) {
      // The device keeps what failed, and tells it to whoever asks for something next.
    }
  }).detach();
}

}  // namespace

std::string why_not_with(const SharedLibrary& library) {
  auto* const hook = library.find<decltype(&enqueue_for_peers)>("hopwise_double_enqueue_for_peers");
  if (hook == nullptr) return "the device is an emulated one";
  *hook = &enqueue_for_peers;
  return "";
}

// Neither is a call of a GPU's driver, and so neither fails.
void note_taken(void* memory, size_t bytes, StreamState* stream) {
  note(stream, [=] { Arena::take(memory, bytes); });
}
void note_returned(void* memory, size_t bytes, StreamState* stream) {
  note(stream, [=] { Arena::give(memory, bytes); });
}

}  // namespace driver
}  // namespace gnn::device
