// NCCL's C interface, on processors: members of a group are processes, which add up in memory that they share, in the
// order of their ranks. It works on the emulation's streams by a function that the emulation hands over.
// HOPWISE_TEST_NCCL: "absent" has no function that works; "refuses" joins nobody, as NCCL where two ranks have one
// device; "broken" says after the first sum that the group has failed.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>

namespace {

enum { kSuccess = 0, kSystemError = 2, kInvalidUsage = 5, kRemoteError = 6 };
constexpr int kMaxMembers = 8;
constexpr size_t kChunk = 4096;  // floats that go at a time

bool is(const char* state) {
  const char* const now = std::getenv("HOPWISE_TEST_NCCL");
  return now != nullptr && std::strcmp(now, state) == 0;
}

struct Shared {
  std::atomic<uint32_t> arrived;
  std::atomic<uint32_t> meeting;
  std::atomic<uint32_t> is_aborted;
  float values[kMaxMembers][kChunk];
};

struct UniqueId {
  std::array<char, 128> bytes;
};

struct Communicator {
  Shared* shared;
  int rank, size;
  std::atomic<int> error{kSuccess};

  // Comes to the next meeting of all members. @returns its number
  uint32_t arrive() {
    const uint32_t meeting = shared->meeting.load();
    if (shared->arrived.fetch_add(1) + 1 == static_cast<uint32_t>(size)) {
      shared->arrived = 0;
      shared->meeting = meeting + 1;
    }
    return meeting;
  }
  bool has_been(uint32_t meeting) const { return shared->meeting.load() != meeting; }
};

// A sum that goes on each time it is asked to, as far as the other members have come.
struct Sum {
  Communicator* communicator;
  float* values;
  size_t count;
  size_t done = 0;
  enum { kWrites, kReads, kLeaves } next = kWrites;
  uint32_t meeting = 0;

  // Whether it is over.
  bool go_on() {
    Shared& shared = *communicator->shared;
    while (done < count) {
      const size_t chunk = count - done < kChunk ? count - done : kChunk;
      if (next == kWrites) {
        std::memcpy(shared.values[communicator->rank], values + done, chunk * sizeof(float));
        meeting = communicator->arrive();
        next = kReads;
      }
      if (shared.is_aborted != 0) return fail();
      if (!communicator->has_been(meeting)) return false;
      if (next == kReads) {
        for (size_t i = 0; i < chunk; ++i) values[done + i] = sum_of(shared, i);
        meeting = communicator->arrive();
        next = kLeaves;
        continue;
      }
      done += chunk;
      next = kWrites;
    }
    return is("broken") ? fail() : true;
  }

 private:
  float sum_of(const Shared& shared, size_t i) const {
    float sum = shared.values[0][i];
    for (int member = 1; member < communicator->size; ++member) sum += shared.values[member][i];
    return sum;
  }
  bool fail() {
    communicator->error = kRemoteError;
    return true;
  }
};

}  // namespace

extern "C" {

// The emulation sets it; work that returns false is tried again.
using Work = bool (*)(void*);
void (*hopwise_double_enqueue_for_peers)(void* stream, Work work, void* state) = nullptr;

int ncclGetVersion(int* version) {
  *version = 23007;
  return is("absent") ? kSystemError : kSuccess;
}
int ncclGetUniqueId(UniqueId* id) {
  std::random_device random;
  const std::string name = "/hopwise-nccl-double-" + std::to_string(random()) + "-" + std::to_string(getpid());
  id->bytes.fill(0);
  std::memcpy(id->bytes.data(), name.c_str(), name.size());
  const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
  if (file < 0 || ftruncate(file, sizeof(Shared)) != 0) return kSystemError;
  close(file);
  return kSuccess;
}
int ncclCommInitRank(Communicator** made, int size, UniqueId id, int rank) {
  if (is("refuses")) return kInvalidUsage;
  const int file = shm_open(id.bytes.data(), O_RDWR, 0600);
  if (file < 0 || size > kMaxMembers) return kSystemError;
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return kSystemError;
  *made = new Communicator{static_cast<Shared*>(memory), rank, size};
  const uint32_t meeting = (*made)->arrive();
  while (!(*made)->has_been(meeting)) std::this_thread::sleep_for(std::chrono::microseconds(50));
  if (rank == 0) shm_unlink(id.bytes.data());
  return kSuccess;
}
int ncclAllReduce(const void* from, void* to, size_t count, int type, int operation, Communicator* communicator,
                  void* stream) {
  if (from != to || type != 7 || operation != 0) return kInvalidUsage;
  auto* const sum = new Sum{communicator, static_cast<float*>(to), count};
  hopwise_double_enqueue_for_peers(stream, [](void* state) {
    if (!static_cast<Sum*>(state)->go_on()) return false;
    delete static_cast<Sum*>(state);
    return true;
  }, sum);
  return kSuccess;
}
int ncclCommGetAsyncError(Communicator* communicator, int* error) {
  *error = communicator->error;
  return kSuccess;
}
// A communicator may still be used by a sum that ends: it stays.
int ncclCommAbort(Communicator* communicator) {
  communicator->shared->is_aborted = 1;
  return kSuccess;
}
int ncclCommDestroy(Communicator*) { return kSuccess; }
const char* ncclGetErrorString(int result) {
  switch (result) {
    case kSystemError: return "unhandled system error";
    case kInvalidUsage: return "invalid usage";
    case kRemoteError: return "remote process exited or there was a network error";
    default: return "no error";
  }
}
}
