#pragma once
#include "gnn/generate/id_permutation.h"
#include "gnn/generate/pair_source.h"

namespace gnn {

// R-MAT (Chakrabarti, Zhan and Faloutsos 2004): each bit of (u, v) falls into one of four quadrants with chances
// a, b, c and the rest. Ids are shuffled. 2^scale nodes.
class Rmat final : public PairSource {
 public:
  Rmat(int scale, double a, double b, double c, uint64_t seed)
      : scale_(scale), a_(a), b_(b), c_(c), seed_(seed), ids_(seed, int64_t{1} << scale) {}

  int32_t num_nodes() const override { return int32_t{1} << scale_; }

  void draw(uint64_t index, int32_t& u, int32_t& v) const override {
    KeyedRandom random(seed_, Purpose::kPair, index);
    do {
      u = v = 0;
      for (int bit = 0; bit < scale_; ++bit) {
        const double draw = random.uniform();
        u = 2 * u + (draw >= a_ + b_);
        v = 2 * v + ((draw >= a_ && draw < a_ + b_) || draw >= a_ + b_ + c_);
      }
    } while (u == v);
    u = ids_.id_of(u);
    v = ids_.id_of(v);
  }

 private:
  int scale_;
  double a_, b_, c_;
  uint64_t seed_;
  IdPermutation ids_;
};

}  // namespace gnn
