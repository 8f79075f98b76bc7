#include "gnn/sampling/reverse_edges.h"

#include <algorithm>
#include <numeric>

namespace gnn {

ReverseEdges reverse_edges(const BlockView& block) {
  ReverseEdges reverse;
  const int64_t num_src = block.num_src, num_edges = block.num_edges;
  reverse.indptr.assign(static_cast<size_t>(num_src) + 1, 0);
  reverse.indices.resize(static_cast<size_t>(num_edges));
  reverse.edges.resize(static_cast<size_t>(num_edges));
  int32_t* next = reverse.indptr.data();
  for (int64_t e = 0; e < num_edges; ++e) ++next[block.indices[e] + 1];
  std::partial_sum(next, next + num_src + 1, next);
  for (int32_t dst = 0; dst < block.num_dst; ++dst) {
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      const int32_t at = next[block.indices[e]]++;
      reverse.indices[at] = dst;
      reverse.edges[at] = e;
    }
  }
  // next[src] has become the end of src, which is the beginning of src + 1.
  std::copy_backward(next, next + num_src, next + num_src + 1);
  next[0] = 0;
  return reverse;
}

}  // namespace gnn
