#include <cmath>
#include <vector>

#include "gnn/runtime/parallel.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn {

void symmetric_norm(const SymmetricNorm& op) {
  constexpr int64_t kRows = 256;
  const auto& [block, weights, importance, degrees, edges] = op;
  const auto degree_of = [&](int64_t row) { return degrees[row] != 0.0f ? double{degrees[row]} : 1.0; };
  std::vector<double> roots(static_cast<size_t>(block.num_src));
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) roots[row] = 1.0 / std::sqrt(degree_of(row));
  });
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      const int64_t first = block.indptr[dst], last = block.indptr[dst + 1];
      double present = weights != nullptr ? 0.0 : static_cast<double>(last - first);
      for (int64_t e = first; weights != nullptr && e < last; ++e) present += weights[e];
      const double share = present == 0.0 ? 0.0 : degree_of(dst) / present;
      for (int64_t e = first; e < last; ++e) {
        const double weight = weights != nullptr ? weights[e] : 1.0;
        const double factor = importance != nullptr ? importance[e] : share;
        edges[e] = static_cast<float>(weight * roots[block.indices[e]] * roots[dst] * factor);
      }
    }
  });
}

}  // namespace gnn
