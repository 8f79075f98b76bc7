#pragma once
// What the drivers share: numbers that depend on the seed and the case alone, and a loop that says in which case
// something was found, so that it can be run again by itself.
//
//   fuzz-readers --seed 1 --first 0 --cases 100000
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "gnn/sampling/counter_rng.h"

namespace fuzz {

// What one case is made of.
class Source {
 public:
  Source(uint64_t seed, uint64_t number) : state_(gnn::mix64(seed + gnn::kGolden) ^ gnn::mix64(number + 1)) {}

  uint64_t bits() { return gnn::mix64(state_ += gnn::kGolden); }
  // In [0, n)
  int64_t below(int64_t n) { return n <= 0 ? 0 : static_cast<int64_t>(bits() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  template <typename T>
  T one_of(std::initializer_list<T> values) { return values.begin()[below(static_cast<int64_t>(values.size()))]; }
  // Numbers at which programs go wrong.
  int64_t odd_integer() {
    return one_of<int64_t>({-1, 0, 1, 2, 255, 65536, INT32_MAX, INT32_MIN, int64_t{1} << 32, int64_t{1} << 53,
                            INT64_MAX, INT64_MIN, static_cast<int64_t>(bits())});
  }
  // Damages some bytes in place, and sometimes the length.
  void mutate(std::vector<uint8_t>& bytes) {
    for (int64_t i = between(0, 6); i > 0 && !bytes.empty(); --i) {
      uint8_t& byte = bytes[below(static_cast<int64_t>(bytes.size()))];
      byte = chance(50) ? static_cast<uint8_t>(bits()) : one_of<uint8_t>({0, 1, 127, 128, 255});
    }
    if (chance(20)) bytes.resize(below(static_cast<int64_t>(bytes.size()) + 1));
    if (chance(10)) bytes.resize(bytes.size() + below(100), static_cast<uint8_t>(bits()));
  }

 private:
  uint64_t state_;
};

// Ends the process with a message: a result that cannot be.
[[noreturn]] void fail(const std::string& what);
inline void expect(bool holds, const char* what) {
  if (!holds) fail(what);
}

// Runs the cases that the arguments ask for, each within 60 seconds. @returns the program's exit code
int run(int argc, char** argv, void (*one)(Source&));

}  // namespace fuzz
