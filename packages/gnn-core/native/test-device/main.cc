// Runs the tests. A line for each in each order of turns: "passed|FAILED <order>: <title>[: <why>]".
//   device-tests                   in the three orders of the emulation, or once on a GPU
//   device-tests --order shuffled  in that one alone
//   device-tests --resume 7 2      from the eighth test on, where two have failed before
//   device-tests --crash NAME      makes a mistake that ends the process when it is noticed (kind.h)
#include <cstdio>
#include <string>

#include "check.h"
#include "gnn/device/driver.h"
#include "gnn/error.h"
#include "kind.h"


namespace check {

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

void expect(bool holds, const std::string& what) {
  if (!holds) throw Failure(what);
}

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const gnn::Error& error) {
    return error.what();
  }
  throw Failure("nothing was thrown");
}

namespace {

int run_all(const std::string& order, size_t first = 0, int failures = 0) {
  for (size_t i = first; i < tests().size(); ++i) {
    const Test& test = tests()[i];
    set_order(order);
    try {
      test.body();
      std::printf("passed %s: %s\n", order.c_str(), test.title);
    } catch (const std::exception& error) {
      ++failures;
      std::printf("FAILED %s: %s: %s\n", order.c_str(), test.title, error.what());
      recover(i + 1, failures);
    }
    std::fflush(stdout);
  }
  return failures;
}

int told(int failures) {
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}

int run(const std::string& wanted) {
  std::printf("device: %s\n", gnn::device::driver::name());
  int failures = 0;
  for (const std::string& order : orders()) {
    if (wanted.empty() || wanted == order) failures += run_all(order);
  }
  return told(failures);
}

int resume(size_t first, int failures) { return told(run_all(orders().front(), first, failures)); }

}  // namespace
}  // namespace check

int main(int argc, char** argv) {
  const std::string option = argc == 3 ? argv[1] : "", value = argc == 3 ? argv[2] : "";
  try {
    if (argc == 4 && std::string(argv[1]) == "--resume") return check::resume(std::stoul(argv[2]), std::stoi(argv[3]));
    return option == "--crash" ? check::crash(value) : check::run(option == "--order" ? value : "");
  } catch (const gnn::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.code(), error.what());
    return 2;
  }
}
