// Mistakes that end the process, each in one of its own.
#include <cstdio>
#include <optional>

#include "arrays.h"
#include "kind.h"
#include "emulated/mistakes.h"

namespace check {
namespace {

void read_out_of_bounds() {
  Stream stream;
  const OnDevice<float> x(stream, random_floats(48, 1)), out(stream, 48);
  make_mistake(stream, Mistake::kOutOfBounds, 48, x, out);
  out.read();
}

void read_after_give() {
  Stream stream;
  const OnDevice<float> x(stream, random_floats(48, 1));
  std::optional<gnn::device::Array<float>> out(std::in_place, stream, 48);
  float* const kept = out->data();
  out.reset();
  make_mistake(stream, Mistake::kUnwritten, 48, x, kept);
  stream.synchronize();
}

void read_on_the_host() {
  Stream stream;
  const OnDevice<float> x(stream, random_floats(48, 1));
  x.read();
  std::printf("%f\n", static_cast<double>(x[0]));
}

}  // namespace

int crash(const std::string& name) {
  if (name == "out-of-bounds") read_out_of_bounds();
  if (name == "use-after-give") read_after_give();
  if (name == "host-access") read_on_the_host();
  return 0;
}

}  // namespace check
