#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "gnn/error.h"
#include "gnn/runtime/parallel.h"

namespace test {
namespace {

struct Case {
  const char* sentence;
  void (*body)();
};

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

Registered::Registered(const char* sentence, void (*body)()) { cases().push_back({sentence, body}); }

void fail(const std::string& what) { throw Failure(what); }

void expect_near(std::span<const float> found, std::span<const double> expected, double tolerance,
                 const std::string& what) {
  expect(found.size() == expected.size(), what + ": " + std::to_string(found.size()) + " elements, expected " +
                                              std::to_string(expected.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    const double error = std::fabs(found[i] - expected[i]);
    if (error <= tolerance * std::max(1.0, std::fabs(expected[i]))) continue;
    fail(what + "[" + std::to_string(i) + "] is " + std::to_string(found[i]) + ", expected " +
         std::to_string(expected[i]));
  }
}

bool refuses(const char* code, const std::function<void()>& work) {
  try {
    work();
  } catch (const gnn::Error& error) {
    return std::strcmp(error.code(), code) == 0;
  }
  return false;
}

std::vector<double> numeric_gradient(std::vector<double>& x, const std::function<double()>& loss) {
  constexpr double kStep = 1e-5;
  std::vector<double> gradient;
  for (double& value : x) {
    const double before = value;
    value = before + kStep;
    const double above = loss();
    value = before - kStep;
    gradient.push_back((above - loss()) / (2 * kStep));
    value = before;
  }
  return gradient;
}

double dot(std::span<const double> a, std::span<const float> b) {
  expect(a.size() == b.size(), "a product of vectors of unequal length");
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace test

// native-test [TEXT]: runs the tests whose sentences hold the text, each on one thread and on three.
int main(int argc, char** argv) {
  int passed = 0, failed = 0;
  for (const int threads : {1, 3}) {
    gnn::set_threads(threads);
    for (const auto& [sentence, body] : test::cases()) {
      if (argc > 1 && std::strstr(sentence, argv[1]) == nullptr) continue;
      try {
        body();
        ++passed;
      } catch (const std::exception& error) {
        ++failed;
        std::printf("failed on %d threads: %s: %s\n", threads, sentence, error.what());
      }
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0 ? 1 : 0;
}
