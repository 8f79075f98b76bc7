#include "gnn/generate/block_model.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "gnn/error.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr double kSameBlockShare = 0.3;
constexpr double kRelatedShare = 0.6;
constexpr int32_t kRelatedPerClass = 3;
constexpr double kBlockSignal = 0.5;
constexpr int64_t kChunk = 1 << 16;

std::vector<double> running_sums(const std::vector<double>& weights) {
  std::vector<double> sums(weights.size() + 1, 0);
  for (size_t i = 0; i < weights.size(); ++i) sums[i + 1] = sums[i] + weights[i];
  return sums;
}

int32_t draw_class(const std::vector<double>& sums, double uniform) {
  const double target = uniform * sums.back();
  const auto at = std::upper_bound(sums.begin() + 1, sums.end() - 1, target);
  return static_cast<int32_t>(at - sums.begin()) - 1;
}

void add_unit_vector(float* out, int32_t dim, double length, KeyedRandom random) {
  std::vector<double> values(dim);
  double squares = 0;
  for (double& value : values) {
    value = random.normal();
    squares += value * value;
  }
  const double scale = length / std::sqrt(squares);
  for (int32_t d = 0; d < dim; ++d) out[d] += static_cast<float>(values[d] * scale);
}

}  // namespace

BlockModel::BlockModel(BlockShape shape, uint64_t seed)
    : shape_(std::move(shape)),
      seed_(seed),
      ids_(seed, shape_.num_nodes),
      prior_sums_(running_sums(shape_.class_prior)) {
  if (shape_.num_nodes < 2 || shape_.class_prior.empty() || shape_.blocks_per_class < 1 ||
      shape_.homophily_a < 1 || shape_.homophily_b < 1) {
    throw Error("SPEC_INVALID",
                "A graph shape needs two nodes, a class, a block and homophily parameters of at least 1.");
  }
  draw_groups();
  draw_propensities();
  draw_homophily();
  draw_centres();
}

// Only how many nodes fall into each group matters: they lie in the order of the groups.
void BlockModel::draw_groups() {
  const auto num_classes = static_cast<int32_t>(shape_.class_prior.size());
  const int32_t num_groups = num_classes * shape_.blocks_per_class;
  group_starts_.assign(num_groups + 1, 0);
  std::mutex adding;
  parallel_for(shape_.num_nodes, kChunk, [&](int64_t begin, int64_t end) {
    std::vector<int32_t> counts(num_groups, 0);
    for (int64_t i = begin; i < end; ++i) {
      KeyedRandom random(seed_, Purpose::kGroup, i);
      const int32_t c = draw_class(prior_sums_, random.uniform());
      ++counts[c * shape_.blocks_per_class + random.below(shape_.blocks_per_class)];
    }
    std::lock_guard<std::mutex> lock(adding);
    for (int32_t g = 0; g < num_groups; ++g) group_starts_[g + 1] += counts[g];
  });
  for (int32_t g = 0; g < num_groups; ++g) group_starts_[g + 1] += group_starts_[g];
  related_.resize(num_classes * kRelatedPerClass);
  for (size_t i = 0; i < related_.size(); ++i) {
    related_[i] = static_cast<int32_t>(KeyedRandom(seed_, Purpose::kRelated, i).below(num_classes));
  }
}

double BlockModel::free_propensity(int32_t node) const {
  return std::exp(shape_.degree_spread * KeyedRandom(seed_, Purpose::kPropensity, node).normal());
}

// Sums are taken chunk by chunk and the chunks added in order: the same bits for any number of threads.
void BlockModel::draw_propensities() {
  const int64_t n = shape_.num_nodes, num_chunks = (n + kChunk - 1) / kChunk;
  std::vector<double> sums(n + 1), of_chunk(num_chunks);
  parallel_for(n, kChunk, [&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) sum += sums[i + 1] = free_propensity(static_cast<int32_t>(i));
    of_chunk[begin / kChunk] = sum;
  });
  double total = 0;
  for (const double sum : of_chunk) total += sum;
  max_propensity_ = shape_.max_degree * total / (2.0 * static_cast<double>(shape_.num_pairs));
  parallel_for(n, kChunk, [&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) sums[i + 1] = sum += std::min(sums[i + 1], max_propensity_);
    of_chunk[begin / kChunk] = sum;
  });
  double before = 0;
  for (double& sum : of_chunk) before += std::exchange(sum, before);
  parallel_for(n, kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) sums[i + 1] += of_chunk[begin / kChunk];
  });
  nodes_ = WeightedDraw(std::move(sums));
}

// Small classes are capped: with more edges wanted inside than there are pairs, most draws would repeat.
void BlockModel::draw_homophily() {
  homophily_.resize(shape_.num_nodes);
  const double mean_degree = 2.0 * static_cast<double>(shape_.num_pairs) / shape_.num_nodes;
  const int32_t blocks = shape_.blocks_per_class;
  parallel_for(shape_.num_nodes, kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int32_t first = group_of(static_cast<int32_t>(i)) / blocks * blocks;
      const double class_size = group_starts_[first + blocks] - group_starts_[first];
      KeyedRandom random(seed_, Purpose::kHomophily, i);
      const double drawn = random.beta(shape_.homophily_a, shape_.homophily_b);
      homophily_[i] = static_cast<float>(std::min(drawn, 0.3 * class_size / mean_degree));
    }
  });
}

void BlockModel::draw_centres() {
  const int32_t dim = shape_.feature_dim, blocks = shape_.blocks_per_class;
  const auto num_groups = static_cast<int32_t>(group_starts_.size()) - 1;
  centres_.assign(static_cast<size_t>(num_groups) * dim, 0);
  for (int32_t g = 0; g < num_groups; ++g) {
    float* centre = centres_.data() + static_cast<int64_t>(g) * dim;
    add_unit_vector(centre, dim, shape_.signal, KeyedRandom(seed_, Purpose::kCentre, g / blocks));
    add_unit_vector(centre, dim, kBlockSignal, KeyedRandom(seed_, Purpose::kCentre, num_groups + g));
  }
}

int32_t BlockModel::group_of(int32_t node) const {
  const auto at = std::upper_bound(group_starts_.begin() + 1, group_starts_.end() - 1, node);
  return static_cast<int32_t>(at - group_starts_.begin()) - 1;
}

int64_t BlockModel::in_groups(double uniform, int32_t first, int32_t end) const {
  const int32_t from = group_starts_[first], to = group_starts_[end];
  return from < to ? nodes_.draw(uniform, from, to) : nodes_.draw(uniform, 0, shape_.num_nodes);
}

int64_t BlockModel::in_class(double uniform, int32_t c) const {
  return in_groups(uniform, c * shape_.blocks_per_class, (c + 1) * shape_.blocks_per_class);
}

int64_t BlockModel::partner_of(int64_t node, KeyedRandom& random) const {
  const int32_t group = group_of(static_cast<int32_t>(node)), own = group / shape_.blocks_per_class;
  if (random.uniform() < homophily_[node]) {
    const bool same_block = random.uniform() < kSameBlockShare;
    return same_block ? in_groups(random.uniform(), group, group + 1) : in_class(random.uniform(), own);
  }
  if (random.uniform() >= kRelatedShare) return nodes_.draw(random.uniform(), 0, shape_.num_nodes);
  const int32_t other = related_[own * kRelatedPerClass + random.below(kRelatedPerClass)];
  return in_class(random.uniform(), other);
}

void BlockModel::draw(uint64_t index, int32_t& u, int32_t& v) const {
  KeyedRandom random(seed_, Purpose::kPair, index);
  int64_t node, partner;
  do {
    node = nodes_.draw(random.uniform(), 0, shape_.num_nodes);
    partner = partner_of(node, random);
  } while (node == partner);
  u = ids_.id_of(static_cast<int32_t>(node));
  v = ids_.id_of(static_cast<int32_t>(partner));
}

// The order of who is chosen first lies in the upper half of a key, the node in the lower: no two keys are equal.
std::vector<int8_t> BlockModel::split() const {
  const int64_t n = shape_.num_nodes;
  std::vector<uint64_t> keys(n);
  parallel_for(n, kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto node = static_cast<int32_t>(i);
      const auto propensity = static_cast<float>(std::min(free_propensity(node), max_propensity_));
      const uint32_t order = shape_.split_by_degree
                                 ? ~std::bit_cast<uint32_t>(propensity)
                                 : static_cast<uint32_t>(KeyedRandom(seed_, Purpose::kSplit, i).bits() >> 32);
      keys[i] = static_cast<uint64_t>(order) << 32 | static_cast<uint32_t>(node);
    }
  });
  const int64_t sizes[] = {std::llround(n * shape_.train_share), std::llround(n * shape_.val_share),
                           std::llround(n * shape_.test_share)};
  std::vector<int8_t> split(n, 0);
  auto from = keys.begin();
  for (int8_t code = 1; code <= 3; ++code) {
    const auto to = from + std::min<int64_t>(sizes[code - 1], keys.end() - from);
    std::nth_element(from, to == keys.end() ? from : to, keys.end());
    for (auto key = from; key != to; ++key) split[ids_.id_of(static_cast<int32_t>(*key & 0xFFFFFFFFu))] = code;
    from = to;
  }
  return split;
}

std::vector<int32_t> BlockModel::labels(int32_t first, int32_t count, const int8_t* split) const {
  std::vector<int32_t> labels(count);
  parallel_for(count, kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int32_t node = ids_.node_of(first + static_cast<int32_t>(i));
      KeyedRandom random(seed_, Purpose::kLabel, node);
      const bool is_noise = random.uniform() < shape_.label_noise;
      const int32_t label =
          is_noise ? draw_class(prior_sums_, random.uniform()) : group_of(node) / shape_.blocks_per_class;
      labels[i] = split != nullptr && split[first + i] == 0 ? -1 : label;
    }
  });
  return labels;
}

std::vector<float> BlockModel::features(int32_t first, int32_t count) const {
  const int64_t dim = shape_.feature_dim;
  std::vector<float> features(count * dim);
  parallel_for(count, 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int32_t node = ids_.node_of(first + static_cast<int32_t>(i));
      const float* centre = centres_.data() + group_of(node) * dim;
      float* row = features.data() + i * dim;
      KeyedRandom random(seed_, Purpose::kNoise, node);
      for (int64_t d = 0; d < dim; d += 2) {
        double noise[2];
        random.normals(noise[0], noise[1]);
        row[d] = centre[d] + static_cast<float>(noise[0]);
        if (d + 1 < dim) row[d + 1] = centre[d + 1] + static_cast<float>(noise[1]);
      }
    }
  });
  return features;
}

}  // namespace gnn
