#pragma once
// How long work on a device takes: a line of JSON for each measure, written at once, so that what comes later cannot
// take what was measured with it.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gnn/device/array.h"

namespace bench {

using gnn::device::Array;
using gnn::device::Stream;

// What a measure's rate is compared with, and the unit of its work: bytes, floating-point operations or edges.
enum class Bound { kCopy, kRandomRows, kProducts, kNone };

struct Measure {
  std::string name;
  Bound bound;
  double work;  // of one run; bytes are those that it reads and writes if nothing is cached
  std::function<void()> enqueue;
};

// Small sizes show that everything runs, as in the emulation; they measure nothing.
bool& is_small();
inline int64_t sized(int64_t usual, int64_t small) { return is_small() ? small : usual; }

// Seconds of one run: the median of several times, each over many runs in a row behind some that warm up.
double seconds_of(Stream& stream, const std::function<void()>& enqueue);

// Measures and prints {"name", "bound", "milliseconds", "rate", "unit"}, or {"name", "error"} for what fails.
void report(Stream& stream, const Measure& measure);
// How many have failed so far.
int& failures();

// In [-1, 1) on the device.
Array<float> random_floats(Stream& stream, int64_t count);
// In [0, below) on the device.
Array<int32_t> random_ids(Stream& stream, int64_t count, int64_t below);
template <typename T>
Array<T> uploaded(Stream& stream, const std::vector<T>& values) {
  Array<T> array(stream, static_cast<int64_t>(values.size()));
  gnn::device::upload(array.data(), values.data(), array.size(), stream);
  stream.synchronize();
  return array;
}

}  // namespace bench
