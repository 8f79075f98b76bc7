#pragma once
// Arrays of tests: random ones, to the device and back, and how far two are apart.
#include <cstdint>
#include <string>
#include <vector>

#include "gnn/device/array.h"
#include "gnn/error.h"

namespace check {

using gnn::device::Stream;

// In [-1, 1), the same for one seed.
std::vector<float> random_floats(int64_t count, unsigned seed);
// In [0, below)
std::vector<int32_t> random_ints(int64_t count, int32_t below, unsigned seed);

// An array of the device with these values, or without any. Its destructor gives the memory back.
template <typename T>
class OnDevice {
 public:
  OnDevice(Stream& stream, int64_t count) : stream_(stream), array_(stream, count) {}
  OnDevice(Stream& stream, std::vector<T> values)
      : stream_(stream), host_(std::move(values)), array_(stream, static_cast<int64_t>(host_.size())) {
    gnn::device::upload(array_.data(), host_.data(), array_.size(), stream);
  }
  ~OnDevice() {
    try {
      stream_.synchronize();
    } catch (const gnn::Error&) {
      // Where a kernel has failed, this may be on the way out with its error.
    }
  }
  operator T*() const { return array_.data(); }
  T* get() const { return array_.data(); }

  std::vector<T> read() const {
    std::vector<T> values(static_cast<size_t>(array_.size()));
    gnn::device::download(values.data(), array_.data(), array_.size(), stream_);
    stream_.synchronize();
    return values;
  }

 private:
  Stream& stream_;
  std::vector<T> host_;  // until the upload is done
  gnn::device::Array<T> array_;
};

// Fails unless all bits are equal; names the first place that differs.
void expect_bits(const std::vector<float>& found, const std::vector<float>& expected, const std::string& what);
void expect_equal(const std::vector<int32_t>& found, const std::vector<int32_t>& expected, const std::string& what);
// Fails unless |found - expected| <= tolerance |expected|, as vectors. NaN is far from everything.
void expect_close(const std::vector<float>& found, const std::vector<float>& expected, double tolerance,
                  const std::string& what);

}  // namespace check
