// Device memory that other processes read. They are forked: a GPU's driver does not survive that, and is tried by the
// two ranks of script/gpu-check.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <tuple>

#include "../arrays.h"
#include "../check.h"
#include "gnn/cuda/features/gather_dense.h"

namespace check {
namespace {

namespace driver = gnn::device::driver;

constexpr int64_t kRows = 20, kDim = 5;

// Rows in shared memory of this process.
class Share {
 public:
  Share(Stream& stream, const std::vector<float>& rows)
      : memory(driver::allocate_shared(rows.size() * sizeof(float))) {
    driver::upload(memory, rows.data(), rows.size() * sizeof(float), stream.state());
    stream.synchronize();
    handle = driver::export_memory(memory);
  }
  ~Share() { give_back(); }
  void give_back() {
    if (memory != nullptr) driver::release_shared(memory);
    memory = nullptr;
  }
  void* memory;
  driver::MemoryHandle handle{};
};

// What another process ends with: 0 when `body` throws nothing and nothing ends it before.
int in_another_process(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGBUS, SIG_DFL);
    try {
      body();
      _exit(0);
    } catch (const std::exception&) {
      _exit(1);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<float> gathered(const void* first_rows, const void* other_rows, const std::vector<int32_t>& ids) {
  Stream stream;
  const OnDevice<gnn::cuda::RowsAt> rows(stream, {{0, first_rows}, {kRows, other_rows}});
  const OnDevice<int32_t> places(stream, ids);
  const auto count = static_cast<int64_t>(ids.size());
  const OnDevice<float> out(stream, count * kDim);
  const gnn::cuda::FeatureView view{2 * kRows, kDim, gnn::FeatureDtype::float32, nullptr, {}, nullptr, rows, 2, true};
  gnn::cuda::gather_dense(stream, view, count, places, out);
  return out.read();
}

}  // namespace

DEVICE_TEST("a process gathers rows of its own share and of another process' in the bits that they have") {
  Stream stream;
  const std::vector<float> rows = random_floats(kRows * kDim, 1), others = random_floats(kRows * kDim, 2);
  const Share share(stream, rows);
  const int ended = in_another_process([&] {
    Stream own_stream;
    const Share own(own_stream, others);
    void* const opened = driver::open_memory(share.handle);
    const std::vector<float> found = gathered(opened, own.memory, {0, 39, 19, 20, 7});
    using Row = std::tuple<int, const std::vector<float>*, int>;
    for (const auto& [i, from, row] :
         {Row{0, &rows, 0}, Row{1, &others, 19}, Row{2, &rows, 19}, Row{3, &others, 0}, Row{4, &rows, 7}}) {
      for (int64_t d = 0; d < kDim; ++d) {
        expect(found[static_cast<size_t>(i * kDim + d)] == (*from)[static_cast<size_t>(row * kDim + d)], "a row");
      }
    }
    driver::close_memory(opened);
  });
  expect(ended == 0, "the other process ended with " + std::to_string(ended));
}

DEVICE_TEST("shared memory is opened neither by the process that made it nor after it was given back") {
  Stream stream;
  Share share(stream, random_floats(kRows * kDim, 1));
  const auto open = [&] { driver::open_memory(share.handle); };
  expect(message_of(open).find("this process has made it") != std::string::npos, message_of(open));
  share.give_back();
  expect(in_another_process(open) == 1, "it was given back");
}

DEVICE_TEST("a process that reads a share which was given back is ended") {
  Stream stream;
  Share share(stream, random_floats(kRows * kDim, 1));
  int opened[2], given[2];
  expect(pipe(opened) == 0 && pipe(given) == 0, "pipes");
  const pid_t parent = getpid();
  std::vector<float> rows;
  // The child opens the share, has the parent give it back, and reads.
  const pid_t giver = fork();
  if (giver == 0) {
    void* const memory = driver::open_memory(share.handle);
    char byte = 0;
    if (write(opened[1], &byte, 1) != 1 || read(given[0], &byte, 1) != 1) _exit(2);
    std::signal(SIGBUS, SIG_DFL);
    gathered(memory, memory, {0, 1});
    _exit(0);
  }
  char byte = 0;
  expect(getpid() == parent && read(opened[0], &byte, 1) == 1, "the other process has opened it");
  share.give_back();
  expect(write(given[1], &byte, 1) == 1, "the other process goes on");
  int status = 0;
  waitpid(giver, &status, 0);
  expect(WIFSIGNALED(status) || WEXITSTATUS(status) > 2, "it read what was given back");
  for (const int end : {opened[0], opened[1], given[0], given[1]}) close(end);
}

DEVICE_TEST("shared memory counts as memory of the device") {
  const driver::MemoryState before = driver::memory_state();
  void* const memory = driver::allocate_shared(1000);
  expect(driver::memory_state().free == before.free - 1000, "a thousand bytes less");
  driver::release_shared(memory);
  expect(driver::memory_state().free == before.free, "as before");
  expect(driver::allocate_shared(before.free + 1) == nullptr, "there is not so much");
}

}  // namespace check
