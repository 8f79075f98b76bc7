#pragma once
// The tests of kernels: DEVICE_TEST("sentence") { … } runs once for each order in which threads take turns.
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* title;
  void (*body)();
};
std::vector<Test>& tests();
struct Registered {
  Registered(const char* title, void (*body)()) { tests().push_back({title, body}); }
};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void expect(bool holds, const std::string& what);

// The message of the error that `body` throws; fails when it throws none.
std::string message_of(const std::function<void()>& body);

}  // namespace check

#define CHECK_JOIN(a, b) a##b
#define CHECK_NAME(prefix, line) CHECK_JOIN(prefix, line)
#define DEVICE_TEST(title)                                                                          \
  static void CHECK_NAME(test_, __LINE__)();                                                        \
  static const check::Registered CHECK_NAME(registered_, __LINE__)(title, CHECK_NAME(test_, __LINE__)); \
  static void CHECK_NAME(test_, __LINE__)()
