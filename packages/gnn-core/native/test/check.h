#pragma once
// Tests of the native library that need no Node: sentences with a body, and comparisons that say what they found.
//
//   TEST("a row without in-neighbours is zero") { … expect_near(out, expected, 1e-5, "mean"); }
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gnn/sampling/counter_rng.h"

namespace test {

// Ends the present test; the others still run.
[[noreturn]] void fail(const std::string& what);
inline void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

// |found - expected| <= tolerance * max(1, |expected|), element by element; NaN is near nothing.
void expect_near(std::span<const float> found, std::span<const double> expected, double tolerance,
                 const std::string& what);

template <typename T, typename U>
void expect_equal(const T& found, const U& expected, const std::string& what) {
  expect(found.size() == expected.size(), what + ": " + std::to_string(found.size()) + " elements, expected " +
                                              std::to_string(expected.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    expect(found[i] == expected[i], what + "[" + std::to_string(i) + "] is " + std::to_string(found[i]) +
                                        ", expected " + std::to_string(expected[i]));
  }
}

// Whether `work` throws gnn::Error of this code.
bool refuses(const char* code, const std::function<void()>& work);

class Random {
 public:
  explicit Random(uint64_t seed) : rng_(seed, 0) {}
  int64_t below(int64_t n) { return rng_.below(n); }
  // In (-1, 1)
  float number() { return static_cast<float>(2 * rng_.uniform() - 1); }
  std::vector<float> numbers(int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float& value : values) value = number();
    return values;
  }

 private:
  gnn::NodeRng rng_;
};

inline std::vector<double> doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

// The gradient of `loss` at x by central differences; x is left as it was.
std::vector<double> numeric_gradient(std::vector<double>& x, const std::function<double()>& loss);

// sum of a[i] b[i]
double dot(std::span<const double> a, std::span<const float> b);

struct Registered {
  Registered(const char* sentence, void (*body)());
};

}  // namespace test

#define TEST_NAME_AT(line) test_at_##line
#define TEST_REGISTERED_AT(line) registered_at_##line
#define TEST_OF(sentence, line)                                                        \
  static void TEST_NAME_AT(line)();                                                    \
  static const test::Registered TEST_REGISTERED_AT(line){sentence, TEST_NAME_AT(line)}; \
  static void TEST_NAME_AT(line)()
#define TEST_EXPANDED(sentence, line) TEST_OF(sentence, line)
#define TEST(sentence) TEST_EXPANDED(sentence, __LINE__)
