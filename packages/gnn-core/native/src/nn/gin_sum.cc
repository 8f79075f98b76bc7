#include "gnn/nn/gin_sum.h"

#include <algorithm>
#include <vector>

#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 512;

// The weight of each row itself.
struct SelfWeights {
  SelfWeights(int64_t rows, float epsilon) : scratch(rows) { std::fill_n(scratch.data(), rows, 1.0f + epsilon); }
  Scratch scratch;
};

// In double, chunk by chunk: the same bits on any number of threads.
double dot(int64_t count, const float* a, const float* b) {
  constexpr int64_t kChunk = kRows * 64;
  std::vector<double> parts(static_cast<size_t>((count + kChunk - 1) / kChunk), 0.0);
  parallel_for(count, kChunk, [&](int64_t begin, int64_t end) {
    double sum = 0.0;
    for (int64_t i = begin; i < end; ++i) sum += static_cast<double>(a[i]) * b[i];
    parts[static_cast<size_t>(begin / kChunk)] = sum;
  });
  double total = 0.0;
  for (const double part : parts) total += part;
  return total;
}

}  // namespace

void gin_sum(const GinSum& op) {
  SelfWeights selves(op.block.num_dst, *op.epsilon);
  weighted_spmm(op.block, op.dim, {op.edge_weights, selves.scratch.data()}, op.x, op.out);
}

void gin_sum_grad(const GinSumGrad& op) {
  SelfWeights selves(op.block.num_dst, *op.epsilon);
  weighted_spmm_grad({.block = op.block,
                      .reverse_edges = op.reverse_edges,
                      .dim = op.dim,
                      .sum = {op.edge_weights, selves.scratch.data()},
                      .dy = op.dy,
                      .dx = op.dx});
  *op.d_epsilon = static_cast<float>(dot(op.block.num_dst * op.dim, op.x, op.dy));
}

void neighbor_weights(const NeighborWeights& op) {
  const auto& [block, weights, importance, degrees, edges, selves] = op;
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      const int64_t first = block.indptr[dst], last = block.indptr[dst + 1];
      double present = 0.0;
      for (int64_t e = first; e < last; ++e) present += weights != nullptr ? weights[e] : 1.0f;
      const float found = static_cast<float>(present);
      float scale = found > 0.0f && importance == nullptr ? degrees[dst] / found : 1.0f;
      if (selves != nullptr) {
        selves[dst] = 1.0f / (degrees[dst] + 1.0f);
        scale *= selves[dst];
      }
      for (int64_t e = first; e < last; ++e) {
        edges[e] = (weights != nullptr ? weights[e] : 1.0f) * (importance != nullptr ? importance[e] : 1.0f) * scale;
      }
    }
  });
}

}  // namespace gnn
