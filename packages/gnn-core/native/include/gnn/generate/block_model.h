#pragma once
// A degree-corrected stochastic block model (Karrer and Newman 2011, arXiv:1008.3926) with labels and features.
#include <cstdint>
#include <vector>

#include "gnn/generate/id_permutation.h"
#include "gnn/generate/pair_source.h"
#include "gnn/generate/weighted_draw.h"

namespace gnn {

struct BlockShape {
  int32_t num_nodes;
  int64_t num_pairs;
  int32_t feature_dim;
  std::vector<double> class_prior;
  int32_t blocks_per_class;
  double degree_spread;   // standard deviation of the logarithm of the degree propensities
  double max_degree;      // largest expected degree
  double homophily_a, homophily_b;
  double signal;          // length of the class centres in units of the features' noise
  double label_noise;     // share of labels drawn from the prior
  double train_share, val_share, test_share;
  bool split_by_degree;   // those of the highest propensity train, instead of any
};

// Nodes are numbered inside in the order (class, block): group g = class * blocks_per_class + block is a range of them.
// Ids outside are a random bijection of these. Holds 16 bytes a node; what can be drawn again is not kept.
class BlockModel final : public PairSource {
 public:
  BlockModel(BlockShape shape, uint64_t seed);

  int32_t num_nodes() const override { return shape_.num_nodes; }
  int32_t feature_dim() const { return shape_.feature_dim; }
  void draw(uint64_t index, int32_t& u, int32_t& v) const override;

  // 0 none, 1 train, 2 val, 3 test, by id.
  std::vector<int8_t> split() const;
  // Classes of the ids [first, first + count); -1 where `split` (by id, null: all are labelled) is 0.
  std::vector<int32_t> labels(int32_t first, int32_t count, const int8_t* split) const;
  // float32 [count, feature_dim] of the ids [first, first + count).
  std::vector<float> features(int32_t first, int32_t count) const;

 private:
  void draw_groups();
  void draw_propensities();
  void draw_homophily();
  void draw_centres();
  double free_propensity(int32_t node) const;
  int32_t group_of(int32_t node) const;
  int64_t in_groups(double uniform, int32_t first, int32_t end) const;
  int64_t in_class(double uniform, int32_t c) const;
  int64_t partner_of(int64_t node, KeyedRandom& random) const;

  BlockShape shape_;
  uint64_t seed_;
  IdPermutation ids_;
  std::vector<double> prior_sums_;
  std::vector<int32_t> group_starts_;  // [groups + 1]
  double max_propensity_ = 0;
  WeightedDraw nodes_;
  std::vector<float> homophily_;
  std::vector<int32_t> related_;   // [classes, 3]
  std::vector<float> centres_;     // [groups, feature_dim]
};

}  // namespace gnn
