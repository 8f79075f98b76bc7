#include "gnn/sampling/draw_nodes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gnn {

std::vector<int32_t> draw_with_replacement(const double* prefix, int64_t size, int32_t count, NodeRng rng) {
  std::vector<int32_t> drawn(count);
  const double total = prefix[size - 1], below_total = std::nextafter(total, 0.0);
  for (int32_t& place : drawn) {
    const double at = std::min(rng.uniform() * total, below_total);
    place = static_cast<int32_t>(std::upper_bound(prefix, prefix + size - 1, at) - prefix);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

std::vector<double> draw_without_replacement(const std::vector<double>& q, const int32_t* nodes,
                                             int32_t count, uint64_t stream) {
  if (count < 0 || static_cast<size_t>(count) >= q.size()) return std::vector<double>(q.size(), 1.0);
  std::vector<std::pair<double, int32_t>> keys(q.size());
  for (size_t i = 0; i < q.size(); ++i) {
    keys[i] = {NodeRng(stream, nodes[i]).exponential() / q[i], static_cast<int32_t>(i)};
  }
  std::nth_element(keys.begin(), keys.begin() + count, keys.end());
  const double threshold = keys[count].first;
  std::vector<double> importance(q.size(), 0.0);
  for (int32_t k = 0; k < count; ++k) {
    const int32_t place = keys[k].second;
    importance[place] = -1.0 / std::expm1(-threshold * q[place]);
  }
  return importance;
}

}  // namespace gnn
