#include "device/emulated/turns.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace gnn::device::emulation {
namespace {

Order present = Order::kForward;
std::mt19937_64 shuffles;

}  // namespace

void set_order(Order order, uint64_t seed) {
  present = order;
  shuffles.seed(seed);
}

Order order() { return present; }

std::vector<size_t> turns(size_t count) {
  std::vector<size_t> all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  if (present == Order::kBackward) std::reverse(all.begin(), all.end());
  if (present == Order::kShuffled) std::shuffle(all.begin(), all.end(), shuffles);
  return all;
}

size_t draw(size_t count) { return present == Order::kShuffled ? static_cast<size_t>(shuffles() % count) : 0; }

}  // namespace gnn::device::emulation
