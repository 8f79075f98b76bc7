#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace gnn {

// Draws indices in proportion to positive weights, from all of them or from a range, in constant expected time: a
// table says where the search for a draw begins, at most a few steps before where it ends.
class WeightedDraw {
 public:
  WeightedDraw() = default;
  // sums[i] = weights[0] + ... + weights[i - 1]; one more of them than weights.
  explicit WeightedDraw(std::vector<double> sums) : sums_(std::move(sums)) {
    const auto count = static_cast<int64_t>(sums_.size()) - 1;
    per_slot_ = static_cast<double>(count) / sums_.back();
    guide_.resize(sums_.size());
    int64_t at = 0;
    for (int64_t slot = 0; slot <= count; ++slot) {
      while (at < count - 1 && sums_[at + 1] * per_slot_ <= static_cast<double>(slot)) ++at;
      guide_[slot] = static_cast<int32_t>(at);
    }
  }

  // An index in [first, end) for `uniform` in [0, 1).
  int64_t draw(double uniform, int64_t first, int64_t end) const {
    const double target = sums_[first] + uniform * (sums_[end] - sums_[first]);
    int64_t at = std::max<int64_t>(first, guide_[static_cast<int64_t>(target * per_slot_)]);
    while (at < end - 1 && sums_[at + 1] <= target) ++at;
    return at;
  }

 private:
  std::vector<double> sums_;
  std::vector<int32_t> guide_;
  double per_slot_ = 0;
};

}  // namespace gnn
