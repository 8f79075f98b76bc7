#include "device/emulated/block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "gnn/error.h"

namespace gnn::device::emulation {

thread_local const Indices* current = nullptr;

namespace {

constexpr size_t kSharedBytes = 48 << 10;
constexpr unsigned kAllLanes = 0xffffffffu;

std::string at(Site site) { return std::string(site.file_name()) + ":" + std::to_string(site.line()); }
// Nearly always the same literal, which need not be read.
bool is_same(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }
bool is_same(Site a, Site b) { return a.line() == b.line() && is_same(a.file_name(), b.file_name()); }

}  // namespace

Block& Block::of_this_thread() {
  static thread_local Block block;
  return block;
}

void Block::run(const Grid& grid, uint3 index, const std::function<void()>& thread) {
  thread_ = &thread;
  count_ = size_t{grid.threads.x} * grid.threads.y * grid.threads.z;
  reset(grid, index);
  schedule();
  current = nullptr;
  if (!failure_.empty()) throw Error("DEVICE_FAULT", failure_);
}

void Block::reset(const Grid& grid, uint3 index) {
  while (lanes_.size() < count_) lanes_.push_back(std::make_unique<Lane>());
  warps_.assign((count_ + 31) / 32, Warp{});
  shared_.clear();
  shared_bytes_ = grid.shared_bytes;
  dynamic_ = poisoned(grid.shared_bytes);
  failure_.clear();
  arrived_ = done_ = 0;
  votes_ = 0;
  for (size_t i = 0; i < count_; ++i) prepare(i, grid, index);
}

void Block::prepare(size_t i, const Grid& grid, uint3 index) {
  Lane& lane = *lanes_[i];
  const auto n = static_cast<unsigned>(i);
  const dim3 t = grid.threads;
  lane.indices = {{n % t.x, n / t.x % t.y, n / t.x / t.y}, index, grid.threads, grid.blocks};
  lane.state = State::kReady;
  lane.what = "";
  warps_[i / 32].alive |= 1u << (i % 32);
  lane.fiber.prepare(&Block::enter);
}

// All bits set: NaN, or -1.
Block::Memory Block::poisoned(size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, bytes) != 0) throw std::bad_alloc();
  std::memset(memory, 0xff, bytes);
  return Memory(static_cast<char*>(memory));
}

void* Block::shared(const void* tag, size_t bytes) {
  Memory& memory = shared_[tag];
  if (!memory) {
    shared_bytes_ += bytes;
    if (shared_bytes_ > kSharedBytes) fail("A block has more than 48 KiB of shared memory.");
    memory = poisoned(bytes);
  }
  return memory.get();
}

int Block::barrier(bool predicate, Site site) {
  if (arrived_ == 0) barrier_site_ = site;
  if (!is_same(barrier_site_, site)) {
    fail("Threads of a block meet at different barriers: " + at(barrier_site_) + " and " + at(site) + ".");
  }
  if (done_ > 0) fail("A thread has returned that the barrier at " + at(site) + " waits for.");
  votes_ += predicate;
  const size_t generation = generation_;
  if (++arrived_ == count_) {
    result_ = votes_;
    votes_ = 0;
    arrived_ = 0;
    ++generation_;
    for (size_t i = 0; i < count_; ++i) lanes_[i]->state = State::kReady;
    return result_;
  }
  while (generation_ == generation) wait("__syncthreads", site);
  return result_;
}

const uint64_t* Block::exchange(unsigned mask, uint64_t value, const char* what, Site site) {
  const size_t of_warp = running_ / 32;
  const unsigned self = 1u << (running_ % 32);
  Warp& warp = warps_[of_warp];
  // The last warp of a block may be short: a mask of all lanes then means those that are there.
  if (mask == kAllLanes) mask = lanes_of(of_warp);
  if ((mask & self) == 0) fail(std::string(what) + " at " + at(site) + ": the mask does not name the calling lane.");
  if ((mask & ~warp.alive) != 0)
    fail(std::string(what) + " at " + at(site) + ": the mask names a lane that has returned.");
  Meeting* meeting = &meeting_of(warp, mask, site);
  if (meeting->arrived == 0) meeting->what = what, meeting->site = site;
  if (!is_same(meeting->site, site) || !is_same(meeting->what, what)) {
    fail("Lanes of a warp meet at different places: " + at(meeting->site) + " and " + at(site) + ".");
  }
  const uint64_t generation = meeting->generation;
  meeting->values[generation & 1][running_ % 32] = value;
  meeting->arrived |= self;
  if (meeting->arrived == mask) {
    meeting->arrived = 0;
    ++meeting->generation;
    release_lanes(of_warp, mask);
  }
  // Other masks may come meanwhile, and move the meetings.
  while (meeting_of(warps_[of_warp], mask, site).generation == generation) wait(what, site);
  return meeting_of(warps_[of_warp], mask, site).values[generation & 1];
}

Block::Meeting& Block::meeting_of(Warp& warp, unsigned mask, Site site) {
  for (Meeting& meeting : warp.meetings) {
    if (meeting.mask == mask) return meeting;
  }
  for (const Meeting& other : warp.meetings) {
    if (other.arrived != 0 && (other.mask & mask) != 0) fail(at(site) + ": masks overlap without being equal.");
  }
  warp.meetings.emplace_back().mask = mask;
  return warp.meetings.back();
}

void Block::release_lanes(size_t warp, unsigned mask) {
  for (; mask != 0; mask &= mask - 1) lanes_[warp * 32 + std::countr_zero(mask)]->state = State::kReady;
}

unsigned Block::lanes_of(size_t warp) const {
  const size_t left = count_ - warp * 32;
  return left >= 32 ? kAllLanes : (1u << left) - 1;
}

void Block::enter() {
  Block& block = of_this_thread();
  Fiber::arrive(block.main_);
  (*block.thread_)();
  block.finish_thread();
}

void Block::finish_thread() {
  Warp& warp = warps_[running_ / 32];
  const unsigned self = 1u << (running_ % 32);
  lanes_[running_]->state = State::kDone;
  warp.alive &= ~self;
  ++done_;
  if (arrived_ > 0) failure_ = "A thread has returned that the barrier at " + at(barrier_site_) + " waits for.";
  for (const Meeting& meeting : warp.meetings) {
    if (meeting.arrived == 0 || (meeting.mask & self) == 0) continue;
    failure_ = std::string(meeting.what) + " at " + at(meeting.site) + ": the mask names a lane that has returned.";
  }
  leave(true);
}

// Never goes back to the fiber: its stack holds nothing that must be destroyed but short strings.
void Block::fail(const std::string& message) {
  if (failure_.empty()) failure_ = message;
  leave(true);
  __builtin_unreachable();
}

void Block::wait(const char* what, Site site) {
  Lane& lane = *lanes_[running_];
  lane.state = State::kWaiting;
  lane.what = what;
  lane.site = site;
  leave(false);
}

void Block::leave(bool is_last) { lanes_[running_]->fiber.switch_to(main_, is_last); }

// A warp runs until all its lanes wait for the block or are done, before the next one gets a turn: as far ahead of the
// others as the barriers let it, which is where a missing one shows. In shuffled order, that or one round of its lanes.
void Block::schedule() {
  std::vector<size_t> warps = turns(warps_.size());
  while (done_ < count_) {
    if (order() == Order::kShuffled) warps = turns(warps_.size());
    bool has_moved = false;
    for (const size_t warp : warps) {
      const bool goes_far = draw(2) == 0;
      while (run_lanes(warp)) {
        if (!failure_.empty()) return;
        has_moved = true;
        if (!goes_far) break;
      }
    }
    if (!has_moved) {
      failure_ = deadlock();
      return;
    }
  }
}

// One round of a warp's lanes. @returns whether any was ready
bool Block::run_lanes(size_t warp) {
  const size_t first = warp * 32, lanes = std::min<size_t>(32, count_ - first), start = draw(lanes);
  bool has_moved = false;
  for (size_t k = 0; k < lanes; ++k) {
    const size_t turn = (start + k) % lanes, i = first + (order() == Order::kBackward ? lanes - 1 - turn : turn);
    if (lanes_[i]->state != State::kReady) continue;
    has_moved = true;
    running_ = i;
    current = &lanes_[i]->indices;
    main_.switch_to(lanes_[i]->fiber, false);
    if (!failure_.empty()) return true;
  }
  return has_moved;
}

std::string Block::deadlock() const {
  std::map<std::string, int> waiting;
  for (size_t i = 0; i < count_; ++i) {
    if (lanes_[i]->state == State::kWaiting) ++waiting[std::string(lanes_[i]->what) + " at " + at(lanes_[i]->site)];
  }
  std::string message = "Deadlock:";
  for (const auto& [where, threads] : waiting)
    message += " " + std::to_string(threads) + " threads wait in " + where + ";";
  return message;
}

void run(const Grid& grid, const std::function<void()>& thread) {
  const dim3 g = grid.blocks;
  for (const size_t i : turns(size_t{g.x} * g.y * g.z)) {
    const auto n = static_cast<unsigned>(i);
    Block::of_this_thread().run(grid, {n % g.x, n / g.x % g.y, n / g.x / g.y}, thread);
  }
}

void* shared_memory(const void* tag, size_t bytes) { return Block::of_this_thread().shared(tag, bytes); }
void* dynamic_shared_memory() { return Block::of_this_thread().dynamic_shared(); }
int block_barrier(bool predicate, Site site) { return Block::of_this_thread().barrier(predicate, site); }
const uint64_t* warp_exchange(unsigned mask, uint64_t value, const char* what, Site site) {
  return Block::of_this_thread().exchange(mask, value, what, site);
}
int lane() { return Block::of_this_thread().lane(); }

}  // namespace gnn::device::emulation
