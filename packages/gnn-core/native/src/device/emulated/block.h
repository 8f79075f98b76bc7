#pragma once
// One block of a grid: its threads, who meets whom, and its shared memory.
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/emulated/fiber.h"
#include "device/emulated/turns.h"
#include "gnn/device/emulator.h"

namespace gnn::device::emulation {

class Block {
 public:
  // Throws DEVICE_FAULT.
  void run(const Grid& grid, uint3 index, const std::function<void()>& thread);

  // What the running thread asks for.
  void* shared(const void* tag, size_t bytes);
  void* dynamic_shared() { return dynamic_.get(); }
  int barrier(bool predicate, Site site);
  const uint64_t* exchange(unsigned mask, uint64_t value, const char* what, Site site);
  int lane() const { return static_cast<int>(running_ % 32); }
  // Ends the kernel.
  [[noreturn]] void fail(const std::string& message);

  static Block& of_this_thread();

 private:
  enum class State { kReady, kWaiting, kDone };
  struct Lane {
    Indices indices;
    State state;
    const char* what;  // it waits for, and where
    Site site;
    Fiber fiber;
  };
  // Lanes of a warp that meet under one mask, again and again. Values of two meetings: some lanes still read those of
  // the last one when others come to the next.
  struct Meeting {
    unsigned mask, arrived = 0;
    uint64_t generation = 0;
    uint64_t values[2][32];
    const char* what = "";
    Site site{};
  };
  struct Warp {
    unsigned alive = 0;
    std::vector<Meeting> meetings;
  };
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<char, Free>;

  static Memory poisoned(size_t bytes);
  static void enter();
  void reset(const Grid& grid, uint3 index);
  void prepare(size_t thread, const Grid& grid, uint3 index);
  void schedule();
  bool run_lanes(size_t warp);
  void wait(const char* what, Site site);
  void leave(bool is_last);
  void release_lanes(size_t warp, unsigned mask);
  void finish_thread();
  Meeting& meeting_of(Warp& warp, unsigned mask, Site site);
  unsigned lanes_of(size_t warp) const;
  std::string deadlock() const;

  const std::function<void()>* thread_ = nullptr;
  size_t count_ = 0, running_ = 0, done_ = 0;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Warp> warps_;
  Fiber main_;
  std::map<const void*, Memory> shared_;
  size_t shared_bytes_ = 0;
  Memory dynamic_;
  // The barrier of the block.
  size_t arrived_ = 0, generation_ = 0;
  int votes_ = 0, result_ = 0;
  Site barrier_site_{};
  std::string failure_;
};

}  // namespace gnn::device::emulation
