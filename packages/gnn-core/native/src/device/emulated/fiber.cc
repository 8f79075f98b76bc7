#include "device/emulated/fiber.h"

#include <sys/mman.h>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#ifndef DEVICE_HAS_UCONTEXT
// Saves what a call must keep, changes stacks, and returns on the other one. Six times as fast as swapcontext, which
// asks the kernel for the signal mask.
extern "C" void gnn_device_switch_stack(void** save, void* to);
asm(R"(
.text
.globl gnn_device_switch_stack
.hidden gnn_device_switch_stack
.type gnn_device_switch_stack,@function
gnn_device_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size gnn_device_switch_stack,.-gnn_device_switch_stack
)");
#endif

namespace gnn::device::emulation {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kStackBytes = 256 << 10;
#else
constexpr size_t kStackBytes = 64 << 10;
#endif

}  // namespace

Fiber::~Fiber() {
  if (owns_stack_) munmap(bottom_, bytes_);
}

void Fiber::prepare(void (*entry)()) {
  if (!owns_stack_) {
    void* memory =
        mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    bottom_ = static_cast<char*>(memory), bytes_ = kStackBytes, owns_stack_ = true;
  }
#if defined(__SANITIZE_ADDRESS__)
  // Frames that it left for ever are poisoned, from where its stack pointer was when it left.
  char* const left = saved_ == nullptr ? bottom_ : static_cast<char*>(saved_);
  __asan_unpoison_memory_region(left, static_cast<size_t>(bottom_ + bytes_ - left));
  fake_ = nullptr;
#endif
#ifdef DEVICE_HAS_UCONTEXT
  getcontext(&context_);
  context_.uc_stack = {bottom_, 0, bytes_};
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
#else
  auto** top = reinterpret_cast<void**>(bottom_ + bytes_ - 64);
  *top = reinterpret_cast<void*>(entry);
  for (int saved = 1; saved <= 6; ++saved) top[-saved] = nullptr;
  saved_ = top - 6;
#endif
}

void Fiber::switch_to(Fiber& next, [[maybe_unused]] bool is_last) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(is_last ? nullptr : &fake_, next.bottom_, next.bytes_);
#endif
#ifdef DEVICE_HAS_UCONTEXT
  swapcontext(&context_, &next.context_);
#else
  gnn_device_switch_stack(&saved_, next.saved_);
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_, nullptr, nullptr);
#endif
}

void Fiber::arrive([[maybe_unused]] Fiber& from) {
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = nullptr;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &from.bytes_);
  from.bottom_ = const_cast<char*>(static_cast<const char*>(bottom));
#endif
}

}  // namespace gnn::device::emulation
