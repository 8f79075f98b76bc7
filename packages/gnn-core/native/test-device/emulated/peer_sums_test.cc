// Sums over devices by NCCL, on a double of the library (doubles/nccl.cc). Groups of several processes are tried by
// test/dist/device-sums.long.test.ts.
#include <cstdlib>

#include "../arrays.h"
#include "../check.h"
#include "../doubles.h"
#include "gnn/device/counters.h"
#include "gnn/device/peer_sums.h"

namespace check {
namespace {

using gnn::device::PeerSums;

// NCCL's double in the given state until the end of the test.
class Library {
 public:
  explicit Library(const char* state = "") {
    setenv("HOPWISE_TEST_NCCL", state, 1);
    sums = std::make_unique<PeerSums>(std::vector<std::string>{path_of_double("nccl")});
  }
  ~Library() { unsetenv("HOPWISE_TEST_NCCL"); }

  std::unique_ptr<PeerSums> sums;
};

}  // namespace

DEVICE_TEST("a group of one adds up what it has, on the device, in one launch") {
  const Library library;
  expect(library.sums->why_not().empty(), library.sums->why_not());
  expect(library.sums->name() == "NCCL 2.30.7", library.sums->name());
  library.sums->join(library.sums->make_group(), 0, 1);
  Stream stream;
  const std::vector<float> values = random_floats(10'000, 1);
  const OnDevice<float> on_device(stream, values);
  const int64_t before = gnn::device::counters().launches;
  library.sums->add(stream, on_device, 10'000);
  expect(gnn::device::counters().launches - before == 1, "one launch");
  expect(on_device.read() == values, "the sum of one");
  expect(library.sums->failure().empty(), library.sums->failure());
  library.sums->leave();
  expect(message_of([&] { library.sums->add(stream, on_device, 1); }) == "This rank's device belongs to no group.",
         "after it left");
}

DEVICE_TEST("a library that is not there, is another, or does not start says why") {
  expect(PeerSums({"/nowhere/libnccl.so.2"}).why_not().find("/nowhere/libnccl.so.2") != std::string::npos, "no file");
  expect(PeerSums({path_of_double("cublaslt")}).why_not() == "the library has no ncclGetVersion", "another library");
  expect(Library("absent").sums->why_not() == "ncclGetVersion failed", "does not start");
}

DEVICE_TEST("devices that cannot be connected, and a group that has failed, are told in NCCL's words") {
  const Library refusing("refuses");
  const std::string refused = message_of([&] { refusing.sums->join(refusing.sums->make_group(), 0, 1); });
  expect(refused == "NCCL 2.30.7 failed: invalid usage (ncclCommInitRank).", refused);
  const Library broken("broken");
  broken.sums->join(broken.sums->make_group(), 0, 1);
  Stream stream;
  const OnDevice<float> values(stream, std::vector<float>{1, 2});
  broken.sums->add(stream, values, 2);
  values.read();
  expect(broken.sums->failure() == "remote process exited or there was a network error", broken.sums->failure());
  broken.sums->abort();
  expect(broken.sums->failure().empty(), "nothing is left to fail");
}

}  // namespace check
