// The pool of device memory, arrays that two streams use, and pinned staging.
#include <numeric>
#include <optional>

#include "arrays.h"
#include "check.h"
#include "gnn/device/memory_pool.h"
#include "gnn/device/staging.h"

namespace check {
namespace {

using gnn::device::Array;
using gnn::device::MemoryPool;

}  // namespace

DEVICE_TEST("sizes come in classes that waste at most an eighth") {
  for (size_t bytes = 1; bytes < (size_t{1} << 34); bytes += bytes / 3 + 1) {
    const size_t size = MemoryPool::class_of(bytes);
    expect(size >= bytes && MemoryPool::class_of(size) == size,
           "a class holds its sizes and itself: " + std::to_string(bytes));
    expect(bytes <= 512 ? size == 512 : size - bytes <= bytes / 8,
           "no more than an eighth is unused: " + std::to_string(bytes));
  }
}

DEVICE_TEST("memory that is given back is taken again, and nothing is lost") {
  Stream stream;
  float* first;
  {
    const Array<float> x(stream, 1000);
    first = x.data();
    expect(stream.memory().use().taken == 4096, "1000 floats are a piece of 4096 bytes");
  }
  const Array<float> y(stream, 1001);
  expect(y.data() == first, "a size of the same class gets the same memory");
  expect(stream.memory().use().taken == 4096 && stream.memory().use().kept == 0, "no second piece was made");
}

DEVICE_TEST("a moved array gives its memory back once") {
  Stream stream;
  {
    Array<float> x(stream, 1000);
    Array<float> y(std::move(x));
    x = Array<float>(stream, 2000);
    x = std::move(y);
    expect(x.size() == 1000, "the array went back");
  }
  expect(stream.memory().use().taken == 0, "nothing is taken any more");
}

DEVICE_TEST("memory that another stream still uses is not taken again") {
  Stream copies, compute;
  std::optional<Array<float>> x(std::in_place, copies, 1000);
  float* const memory = x->data();
  x->used_by(compute);
  x.reset();
  compute.synchronize();
  const Array<float> late(copies, 1000);
  expect(late.data() == memory, "the other stream is done");
}

DEVICE_TEST("uploads through pinned slots take what the host had when they were asked for") {
  Stream stream;
  gnn::device::StagingRing ring(2, 256);
  std::vector<int32_t> values(1000);
  std::iota(values.begin(), values.end(), 0);
  const std::vector<int32_t> expected = values;
  const OnDevice<int32_t> x(stream, 1000);
  ring.upload(x, values.data(), values.size() * sizeof(int32_t), stream);
  values.assign(values.size(), -1);
  expect_equal(x.read(), expected, "4000 bytes in slots of 256");
}

DEVICE_TEST("copies, zeros and counts are as asked for") {
  Stream stream;
  const gnn::device::Counters before = gnn::device::counters();
  const OnDevice<float> x(stream, {1, 2, 3, 4}), y(stream, 4);
  gnn::device::copy<float>(y, x, 4, stream);
  gnn::device::zero<float>(y + 2, 1, stream);
  expect_bits(y.read(), {1, 2, 0, 4}, "y");
  const gnn::device::Counters after = gnn::device::counters();
  expect(after.uploads - before.uploads == 1 && after.downloads - before.downloads == 1, "one upload, one download");
  expect(after.synchronizations - before.synchronizations == 1, "one wait");
}

}  // namespace check
