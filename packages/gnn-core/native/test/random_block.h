#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.h"
#include "gnn/sampling/reverse_edges.h"
#include "gnn/sparse/block_view.h"

namespace test {

// A block with rows of no, few and many in-edges, repeated ones and self-loops among them, and its edges by src.
class RandomBlock {
 public:
  RandomBlock(Random& random, int64_t num_src, int64_t num_dst) : num_src_(num_src), indptr_{0} {
    for (int64_t v = 0; v < num_dst; ++v) {
      const int64_t degree = v % 4 == 0 ? 0 : v % 7 == 0 ? 20 : random.below(6);
      for (int64_t i = 0; i < degree; ++i) indices_.push_back(static_cast<int32_t>(random.below(num_src)));
      std::sort(indices_.end() - degree, indices_.end());
      indptr_.push_back(static_cast<int32_t>(indices_.size()));
    }
    reverse_ = gnn::reverse_edges(view());
  }

  gnn::BlockView view() const {
    return {.num_src = num_src_,
            .num_dst = num_dst(),
            .num_edges = num_edges(),
            .indptr = indptr_.data(),
            .indices = indices_.data(),
            .reverse_indptr = reverse_.indptr.data(),
            .reverse_indices = reverse_.indices.data()};
  }
  const gnn::ReverseEdges& reverse() const { return reverse_; }
  int64_t num_src() const { return num_src_; }
  int64_t num_dst() const { return static_cast<int64_t>(indptr_.size()) - 1; }
  int64_t num_edges() const { return static_cast<int64_t>(indices_.size()); }
  int64_t degree(int64_t v) const { return indptr_[v + 1] - indptr_[v]; }
  int64_t src(int64_t edge) const { return indices_[edge]; }

  // Calls visit(edge, src, dst) for every edge.
  template <typename Visit>
  void for_edges(Visit&& visit) const {
    for (int64_t v = 0; v < num_dst(); ++v) {
      for (int64_t e = indptr_[v]; e < indptr_[v + 1]; ++e) visit(e, int64_t{indices_[e]}, v);
    }
  }

 private:
  int64_t num_src_;
  std::vector<int32_t> indptr_, indices_;
  gnn::ReverseEdges reverse_;
};

}  // namespace test
