#include "gnn/sampling/edges_left.h"

#include <algorithm>
#include <vector>

namespace gnn {
namespace {

// The other ends of pairs, by node.
class Partners {
 public:
  explicit Partners(const PairsView& pairs) {
    ends_.reserve(static_cast<size_t>(2 * pairs.count));
    for (int64_t i = 0; i < pairs.count; ++i) {
      ends_.push_back({pairs.src[i], pairs.dst[i]});
      ends_.push_back({pairs.dst[i], pairs.src[i]});
    }
    std::sort(ends_.begin(), ends_.end());
    if (!ends_.empty()) is_end_.resize(static_cast<size_t>(ends_.back().first) + 1);
    for (const auto& [node, other] : ends_) is_end_[node] = true;
  }

  bool has(int32_t node) const { return static_cast<size_t>(node) < is_end_.size() && is_end_[node]; }
  bool has(int32_t node, int32_t other) const {
    return std::binary_search(ends_.begin(), ends_.end(), std::pair(node, other));
  }

 private:
  std::vector<std::pair<int32_t, int32_t>> ends_;
  std::vector<bool> is_end_;
};

// Where an edge lies that is taken out, ascending. Most rows are no end of a pair, and of them nothing is looked up.
std::vector<int32_t> edges_between(const BlockView& block, const int32_t* src_ids, const Partners& partners) {
  std::vector<uint8_t> is_end(static_cast<size_t>(block.num_src));
  for (int64_t row = 0; row < block.num_src; ++row) is_end[row] = partners.has(src_ids[row]) ? 1 : 0;
  std::vector<int32_t> found;
  for (int64_t dst = 0; dst < block.num_dst; ++dst) {
    if (is_end[dst] == 0) continue;
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      const int32_t src = block.indices[e];
      if (is_end[src] != 0 && partners.has(src_ids[dst], src_ids[src])) found.push_back(e);
    }
  }
  return found;
}

}  // namespace

EdgesLeft edges_left(const BlockView& block, const int32_t* src_ids, const PairsView& pairs) {
  const std::vector<int32_t> between = edges_between(block, src_ids, Partners(pairs));
  EdgesLeft left;
  if (between.empty()) return left;
  left.indptr.resize(static_cast<size_t>(block.num_dst) + 1);
  left.indices.resize(static_cast<size_t>(block.num_edges) - between.size());
  left.kept.resize(left.indices.size());
  int32_t at = 0;
  auto next = between.begin();
  left.indptr[0] = 0;
  for (int64_t dst = 0; dst < block.num_dst; ++dst) {
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      if (next != between.end() && *next == e) {
        ++next;
        continue;
      }
      left.indices[at] = block.indices[e];
      left.kept[at++] = e;
    }
    left.indptr[dst + 1] = at;
  }
  return left;
}

}  // namespace gnn
