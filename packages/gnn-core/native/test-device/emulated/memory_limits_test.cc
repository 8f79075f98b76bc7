// The pool where the device has little memory, or none.
#include <optional>

#include "arrays.h"
#include "check.h"
#include "gnn/device/emulation.h"
#include "gnn/device/memory_pool.h"

namespace check {

using gnn::device::Array;

DEVICE_TEST("a device without memory left is an error that says what is in use, and its next user is unharmed") {
  using gnn::device::emulation::set_memory;
  Stream stream, other;
  { const Array<float> kept(other, 1 << 18); }  // a megabyte that the other stream keeps
  set_memory(size_t{2} << 20);
  const std::optional<Array<float>> x(std::in_place, stream, (1 << 18) + (1 << 17));
  expect(other.memory().use().kept == 0, "what others keep is returned before anybody is refused");
  const std::string message = message_of([&] { const Array<float> y(stream, 1 << 18); });
  set_memory(size_t{4} << 30);
  expect(message.starts_with("The device has no piece of 1048576 bytes left; this stream uses 1572864 bytes."),
         message);
  const Array<float> z(stream, 1 << 18);
  expect(z.data() != nullptr, "there is memory again");
}

DEVICE_TEST("memory is not taken again before another stream is done with it") {
  Stream copies, compute;
  std::optional<Array<float>> x(std::in_place, copies, 1000);
  const float* const memory = x->data();
  x->used_by(compute);
  x.reset();
  const Array<float> y(copies, 1000);
  expect(y.data() != memory, "the emulation runs a stream when it is waited for: this one is not done");
}

DEVICE_TEST("streams leave no byte behind") {
  const size_t before = gnn::device::emulation::memory_in_use();
  {
    Stream stream;
    for (int i = 1; i < 50; ++i) const Array<float> x(stream, i * 100);
  }
  expect(gnn::device::emulation::memory_in_use() == before, "everything is returned");
}

}  // namespace check
