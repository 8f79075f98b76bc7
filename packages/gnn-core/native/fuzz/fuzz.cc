#include "fuzz.h"

#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// What no input may make a driver allocate at once is as much a fault as a read out of bounds.
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=2048:handle_abort=1"; }
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

namespace fuzz {
namespace {

unsigned long long seed = 1, number = 0;

void tell() { std::fprintf(stderr, "in case --seed %llu --first %llu --cases 1\n", seed, number); }

void on_alarm(int) {
  std::fprintf(stderr, "a case takes longer than 60 s\n");
  tell();
  std::_Exit(1);
}

unsigned long long value_of(int argc, char** argv, const char* name, unsigned long long otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return std::strtoull(argv[i + 1], nullptr, 10);
  }
  return otherwise;
}

}  // namespace

void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  tell();
  std::_Exit(1);
}

int run(int argc, char** argv, void (*one)(Source&)) {
  __sanitizer_set_death_callback(tell);
  std::signal(SIGALRM, on_alarm);
  seed = value_of(argc, argv, "--seed", 1);
  const unsigned long long first = value_of(argc, argv, "--first", 0), cases = value_of(argc, argv, "--cases", 1000);
  for (number = first; number < first + cases; ++number) {
    alarm(60);
    Source source(seed, number);
    one(source);
  }
  alarm(0);
  std::printf("%llu cases of seed %llu, no report\n", cases, seed);
  return 0;
}

}  // namespace fuzz
