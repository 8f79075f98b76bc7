// The emulation finds what a GPU hides.
#include <cmath>

#include "arrays.h"
#include "check.h"
#include "emulated/mistakes.h"
#include "gnn/cuda/dense/sgemm.h"
#include "gnn/device/emulation.h"
#include "gnn/device/readable_memory.h"
#include "gnn/error.h"

namespace check {
namespace {

using gnn::device::emulation::Order;

struct Outcome {
  std::string error;  // what the emulation said
  std::vector<float> out;
};

Outcome outcome_of(Mistake mistake, Order order, int n) {
  gnn::device::emulation::set_order(order);
  Stream stream;
  const OnDevice<float> x(stream, random_floats(64, 1)), out(stream, 64);
  try {
    make_mistake(stream, mistake, n, x, out);
    return {"", out.read()};
  } catch (const gnn::Error& error) {
    gnn::device::emulation::reset_device();
    return {error.what(), {}};
  }
}

// What is found of a mistake by running its kernel in all orders: a message of the emulation, or how results look.
std::string found_of(Mistake mistake, int n, size_t count) {
  std::vector<std::vector<float>> results;
  for (const Order order : {Order::kForward, Order::kBackward, Order::kShuffled}) {
    Outcome outcome = outcome_of(mistake, order, n);
    if (!outcome.error.empty()) return outcome.error;
    outcome.out.resize(count);
    for (const float value : outcome.out) {
      if (std::isnan(value)) return "poison in the result";
    }
    results.push_back(outcome.out);
  }
  return results[0] == results[1] && results[1] == results[2] ? "" : "the result depends on the order";
}

void expect_found(Mistake mistake, const std::string& what, int n = 48, size_t count = 64) {
  const std::string found = found_of(mistake, n, count);
  expect(found.find(what) != std::string::npos, "found \"" + found + "\", expected \"" + what + "\"");
}

}  // namespace

DEVICE_TEST("a missing __syncthreads is found") { expect_found(Mistake::kMissingBarrier, "poison"); }
DEVICE_TEST("a missing __syncwarp is found") { expect_found(Mistake::kMissingWarpSync, "poison"); }
DEVICE_TEST("a barrier that some threads never reach is found") {
  expect_found(Mistake::kDivergentBarrier, "A thread has returned that the barrier at ");
}
DEVICE_TEST("lanes that shuffle at different lines are found") {
  expect_found(Mistake::kDivergentShuffle, "Lanes of a warp meet at different places", 16);
}
DEVICE_TEST("a mask that names lanes which have returned is found") {
  expect_found(Mistake::kWrongMask, "the mask names a lane that has returned", 20);
}
DEVICE_TEST("a deadlock is told instead of waited for") { expect_found(Mistake::kDeadlock, "Deadlock"); }
DEVICE_TEST("an output that nobody wrote is found") { expect_found(Mistake::kUnwritten, "poison", 64); }
DEVICE_TEST("threads that write one place are found") { expect_found(Mistake::kRace, "depends on the order", 48, 1); }

DEVICE_TEST("an address of the host among a kernel's arguments is found") {
  Stream stream;
  const std::vector<float> x = random_floats(64, 1);
  const OnDevice<float> out(stream, 64);
  make_mistake(stream, Mistake::kUnwritten, 64, x.data(), out);
  const std::string found = message_of([&] { stream.synchronize(); });
  gnn::device::emulation::reset_device();
  expect(found == "Argument 2 of a kernel points into memory of the host, which a GPU cannot read.", found);
}

DEVICE_TEST("memory of the host is read while it is registered, and neither before nor afterwards") {
  const std::vector<float> x = random_floats(64, 1);
  const auto read = [](const float* address) {
    Stream stream;
    const OnDevice<const float*> addresses(stream, {address});
    const OnDevice<float> out(stream, 64);
    read_host(stream, addresses, out);
    return out.read();
  };
  const auto expect_refused = [&](const float* address) {
    const std::string found = message_of([&] { read(address); });
    gnn::device::emulation::reset_device();
    expect(found.starts_with("A kernel reads memory of the host that is not registered"), found);
    expect(found.find("mistakes.cu:") != std::string::npos, "its line is named: " + found);
  };
  expect_refused(x.data());
  const float* address;
  {
    const gnn::device::ReadableMemory registered(x.data(), 256);
    address = static_cast<const float*>(registered.address());
    expect_bits(read(address), x, "registered");
    expect_refused(x.data());
  }
  expect_refused(address);
}

DEVICE_TEST("a grid that a GPU does not start is found: no blocks, too many along y, too much shared memory") {
  expect_found(Mistake::kNoBlocks, "A kernel did not start: its grid has 0 x 1 x 1 blocks");
  expect_found(Mistake::kTooManyBlocks, "A kernel did not start: its grid has 1 x 65536 x 1 blocks");
  expect_found(Mistake::kTooMuchShared, "A kernel did not start: its blocks have 49153 bytes of dynamic shared memory");
}

DEVICE_TEST("products of more rows than 65535 tiles have a grid that a GPU starts") {
  Stream stream;
  const OnDevice<float> x(stream, random_floats(64, 1)), out(stream, 64);
  // What follows a failure is dropped: the emulation would take a minute for the product.
  make_mistake(stream, Mistake::kDeadlock, 0, x, out);
  gnn::cuda::sgemm(stream, {.m = 65536 * 64, .n = 1, .k = 1, .a = x, .b = x, .c = out});
  expect(message_of([&] { stream.synchronize(); }).starts_with("Deadlock"), "the mistake's failure is told, no other");
  gnn::device::emulation::reset_device();
}

DEVICE_TEST("a device on which a kernel has failed refuses everything, and what is left of the work goes in peace") {
  {
    Stream stream, other;
    const OnDevice<float> x(stream, random_floats(64, 1)), out(stream, 64);
    gnn::device::Array<float> shared(stream, 64);
    shared.used_by(other);
    stream.ticket();
    make_mistake(stream, Mistake::kDeadlock, 0, x, out);
    const std::string first = message_of([&] { stream.synchronize(); });
    expect(first.starts_with("Deadlock"), first);
    expect(message_of([&] { other.synchronize(); }) == first, "another stream");
    expect(message_of([&] { const gnn::device::Array<float> y(stream, 1 << 16); }) == first, "memory");
    expect(message_of([&] { const gnn::device::Event event; }) == first, "an event");
  }
  gnn::device::emulation::reset_device();
  Stream stream;
  expect_bits(OnDevice<float>(stream, {1, 2}).read(), {1, 2}, "as in a new process");
}

DEVICE_TEST("a device that is lost in the middle of its work says so to whoever asks it for anything") {
  {
    Stream stream;
    const OnDevice<float> x(stream, {1, 2});
    stream.synchronize();
    gnn::device::emulation::lose_device_after(2);
    x.read();
    const auto code_of_read = [&] {
      try {
        x.read();
        return std::string("none");
      } catch (const gnn::Error& error) {
        return std::string(error.code());
      }
    };
    expect(code_of_read() == "DEVICE_LOST", "the read during which it was lost");
    expect(code_of_read() == "DEVICE_LOST", "and the next one");
  }
  gnn::device::emulation::reset_device();
  Stream stream;
  expect_bits(OnDevice<float>(stream, {1, 2}).read(), {1, 2}, "another device");
}

DEVICE_TEST("a failure names the file and the line of the kernel") {
  expect_found(Mistake::kDivergentBarrier, "mistakes.cu:");
}

DEVICE_TEST("what is read before the stream was synchronised is not there") {
  Stream stream;
  const OnDevice<float> x(stream, {1, 2, 3});
  std::vector<float> early(3, 7.0f);
  gnn::device::download<float>(early.data(), x, 3, stream);
  expect(early == std::vector<float>(3, 7.0f), "the download has not been done yet");
  stream.synchronize();
  expect(early == std::vector<float>{1, 2, 3}, "the download is done");
}

DEVICE_TEST("a stream that does not wait for another reads poison") {
  Stream first, second;
  const std::vector<float> values{1, 2, 3};
  const OnDevice<float> x(first, 3);
  first.synchronize();
  gnn::device::upload<float>(x, values.data(), 3, first);
  std::vector<float> read(3, 7.0f);
  gnn::device::download<float>(read.data(), x, 3, second);
  second.synchronize();
  expect(std::isnan(read[0]), "the other stream has not uploaded yet");
}

DEVICE_TEST("a stream that waits for another's event reads what that has written") {
  Stream first, second;
  const OnDevice<float> x(first, {1, 2, 3});
  const gnn::device::Event written;
  first.record(written);
  second.wait(written);
  std::vector<float> read(3);
  gnn::device::download<float>(read.data(), x, 3, second);
  second.synchronize();
  expect(read == std::vector<float>{1, 2, 3}, "it waited");
}

}  // namespace check
