#pragma once
// Random numbers of a synthetic graph: a function of (seed, purpose, index), never of threads or order.
#include <cmath>
#include <cstdint>

#include "gnn/sampling/counter_rng.h"

namespace gnn {

// What the numbers are for: each purpose has streams of its own.
enum class Purpose : uint64_t {
  kGroup = 1,
  kPropensity,
  kHomophily,
  kRelated,
  kPair,
  kIds,
  kLabel,
  kSplit,
  kCentre,
  kNoise,
  kRank
};

class KeyedRandom {
 public:
  KeyedRandom(uint64_t seed, Purpose purpose, uint64_t index)
      : state_(
            mix64(mix64(mix64(seed + kGolden) + static_cast<uint64_t>(purpose) * kGolden) ^ mix64(index + kGolden))) {}

  uint64_t bits() {
    state_ += kGolden;
    return mix64(state_);
  }
  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  // Uniform in 0, 1 ... bound - 1.
  int64_t below(int64_t bound) {
    return static_cast<int64_t>((static_cast<unsigned __int128>(bits()) * static_cast<uint64_t>(bound)) >> 64);
  }
  // Two independent standard normals (Box and Muller 1958).
  void normals(double& first, double& second) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform())), angle = 2 * M_PI * uniform();
    first = radius * std::cos(angle);
    second = radius * std::sin(angle);
  }
  double normal() {
    double first, second;
    normals(first, second);
    return first;
  }
  // Gamma(shape, 1) for shapes of at least 1 (Marsaglia and Tsang 2000).
  double gamma(double shape) {
    const double d = shape - 1.0 / 3;
    for (;;) {
      const double x = normal(), root = 1 + x / std::sqrt(9 * d), v = root * root * root;
      if (v > 0 && std::log(1 - uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
  }
  double beta(double a, double b) {
    const double x = gamma(a);
    return x / (x + gamma(b));
  }

 private:
  uint64_t state_;
};

}  // namespace gnn
