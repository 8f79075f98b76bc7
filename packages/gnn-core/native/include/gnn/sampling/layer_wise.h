#pragma once
// Samplers that draw the nodes of a layer at once and keep the edges between them and the dst rows. Rows of the dst
// nodes are src rows too, whether drawn or not; only edges from drawn nodes are kept.
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

// q_u proportional to the squared norm of column u of D^-1/2 (A + I) D^-1/2, D = 1 + (weighted) in-degrees: the sum
// over the out-edges u -> v of w_uv^2 / (d_u d_v), + 1 / d_u^2. @returns its prefix sums [num_nodes], the last one 1
std::vector<double> fastgcn_distribution(const GraphView& graph);

// FastGCN (Chen, Ma, Xiao 2018, arXiv:1801.10247): layer_sizes[0] nodes for the hop from the seeds etc., drawn
// independently with replacement from q. A node drawn c times counts c / (size q_u). A negative size takes all
// in-neighbours. `distribution` [num_nodes] is that of fastgcn_distribution.
struct FastGcnOptions {
  std::vector<int32_t> layer_sizes;
  bool normalise;  // importance of a row adds up to its number of in-edges (Hajek); otherwise c / (size q_u)
};
std::vector<BlockData> sample_fastgcn_blocks(const GraphView& graph, const double* distribution,
                                             const std::vector<int32_t>& seeds, const FastGcnOptions& options,
                                             const SampleKey& key);

// LADIES (Zou et al. 2019, arXiv:1911.07323): the nodes of a layer are drawn among the in-neighbours of the layer
// above, q_u proportional to the sum over its dst rows v of P(v, u)^2, P = D^-1 A (without edge weights, so that no
// edge is out of reach). With replacement a node drawn c times counts c / (size q_u); without, nodes are successive
// draws from q (exponential keys by node, see weighted_blocks.h) and count 1 / (1 - exp(-q_u t)).
struct LadiesOptions {
  std::vector<int32_t> layer_sizes;
  bool replace;
  bool normalise;
};
std::vector<BlockData> sample_ladies_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                            const LadiesOptions& options, const SampleKey& key);

// Both: safe to call from any number of threads. Throw SHAPE_MISMATCH for a node outside the graph,
// DATASET_TOO_LARGE past 2^31 - 1 edges.

}  // namespace gnn
