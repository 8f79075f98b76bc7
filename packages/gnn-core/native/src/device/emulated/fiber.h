#pragma once
// Stacks that one thread of the system runs in turn.
#include <cstddef>

#if !defined(__x86_64__) || defined(DEVICE_UCONTEXT)
#define DEVICE_HAS_UCONTEXT
#include <ucontext.h>
#endif

namespace gnn::device::emulation {

class Fiber {
 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Begins `entry` anew at the next switch to this fiber. It must leave by switch_to, never return; its stack is not
  // unwound.
  void prepare(void (*entry)());
  // Goes on with `next` where it left. `is_last`: this fiber is not switched to again before it is prepared anew.
  void switch_to(Fiber& next, bool is_last);
  // First thing on a new stack; `from` is who switched here.
  static void arrive(Fiber& from);

 private:
  char* bottom_ = nullptr;
  size_t bytes_ = 0;
  void* saved_ = nullptr;  // the stack pointer while another fiber runs
  void* fake_ = nullptr;   // AddressSanitizer's
  bool owns_stack_ = false;
#ifdef DEVICE_HAS_UCONTEXT
  ucontext_t context_;
#endif
};

}  // namespace gnn::device::emulation
