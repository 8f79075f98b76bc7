#include "arrays.h"

#include <bit>
#include <cmath>
#include <random>

#include "check.h"

namespace check {
namespace {

std::string at(size_t i, double found, double expected) {
  return " at " + std::to_string(i) + ": found " + std::to_string(found) + ", expected " + std::to_string(expected);
}

}  // namespace

std::vector<float> random_floats(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(static_cast<double>(random()) / 2147483648.0 - 1);
  return values;
}

std::vector<int32_t> random_ints(int64_t count, int32_t below, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> values(static_cast<size_t>(count));
  for (int32_t& value : values) value = static_cast<int32_t>(random() % static_cast<unsigned>(below));
  return values;
}

void expect_bits(const std::vector<float>& found, const std::vector<float>& expected, const std::string& what) {
  expect(found.size() == expected.size(), what + ": sizes differ");
  for (size_t i = 0; i < found.size(); ++i) {
    if (std::bit_cast<uint32_t>(found[i]) != std::bit_cast<uint32_t>(expected[i])) {
      expect(false, what + at(i, found[i], expected[i]));
    }
  }
}

void expect_equal(const std::vector<int32_t>& found, const std::vector<int32_t>& expected, const std::string& what) {
  expect(found.size() == expected.size(), what + ": found " + std::to_string(found.size()) + " elements, expected " +
                                              std::to_string(expected.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] != expected[i]) expect(false, what + at(i, found[i], expected[i]));
  }
}

void expect_close(const std::vector<float>& found, const std::vector<float>& expected, double tolerance,
                  const std::string& what) {
  expect(found.size() == expected.size(), what + ": sizes differ");
  double difference = 0, size = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) expect(false, what + at(i, found[i], expected[i]));
    difference += std::pow(static_cast<double>(found[i]) - expected[i], 2);
    size += std::pow(static_cast<double>(expected[i]), 2);
  }
  const double error = size == 0 ? std::sqrt(difference) : std::sqrt(difference / size);
  expect(error <= tolerance, what + ": relative error " + std::to_string(error));
}

}  // namespace check
