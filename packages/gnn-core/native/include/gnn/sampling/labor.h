#pragma once
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

// LABOR (Balin and Catalyurek 2023, arXiv:2210.13339): every in-neighbour t has one random number r_t per hop, whoever
// looks at it, so that the dst rows of a batch pick the same nodes where they can. Row s takes t when r_t < c_s pi_t.
struct LaborOptions {
  std::vector<int32_t> fanouts;  // [0] is the hop from the seeds, negative = all in-neighbours
  // Rounds that make pi fit the batch; 0: pi = 1 (LABOR-0); negative: until it stands still (LABOR-*).
  int32_t iterations;
  bool one_draw_for_all_hops;  // the same r_t at every hop
  // Exactly min(fanout, degree) per row, those of smallest r_t / pi_t (sequential Poisson sampling, Ohlsson 1998),
  // instead of at least so many on average.
  bool fixed_size;
  bool normalise;  // importance of a row adds up to its number of in-edges (Hajek); otherwise 1 / probability
};

// Blocks carry importance weights, unless all edges of a row weigh the same (LABOR-0, normalised). Safe to call from
// any number of threads. Throws SHAPE_MISMATCH for a node outside the graph, DATASET_TOO_LARGE past 2^31 - 1 edges.
std::vector<BlockData> sample_labor_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                           const LaborOptions& options, const SampleKey& key);

// The c with sum over t of 1 / min(1, c pi_t) = degree^2 / fanout: the variance of `fanout` neighbours drawn uniformly
// (the paper's condition on c_s). For fanout >= degree the smallest c that takes all.
double labor_scale(const double* pi, int64_t degree, int32_t fanout);

}  // namespace gnn
