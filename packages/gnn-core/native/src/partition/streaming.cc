#include "gnn/partition/streaming.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gnn/random/philox.h"

namespace gnn {
namespace {

class Streamer {
 public:
  Streamer(const StreamedGraph& graph, const StreamingOptions& options, int32_t* assignment, double* loads)
      : graph_(graph), options_(options), assignment_(assignment), loads_(loads), neighbors_(options.num_parts),
        slope_(0.75 * static_cast<double>(graph.indptr[graph.num_nodes]) / graph.num_nodes / options.num_constraints) {
    const int32_t constraints = options.num_constraints;
    for (int32_t c = 0; c < constraints; ++c) {
      even_.push_back(options.totals[c] / options.num_parts);
      mean_weight_.push_back(options.totals[c] / graph.num_nodes);
    }
    fill_.resize(static_cast<size_t>(options.num_parts) * constraints);
    for (size_t slot = 0; slot < fill_.size(); ++slot) refresh(slot);
  }

  bool place(int32_t node) {
    const int32_t before = assignment_[node];
    if (before >= 0) add(before, node, -1);
    count_neighbors(node);
    const int32_t part = best_part(node);
    assignment_[node] = part;
    add(part, node, 1);
    return part != before;
  }

 private:
  const int32_t* weights_of(int32_t node) const {
    return options_.node_weights + static_cast<int64_t>(node) * options_.num_constraints;
  }

  void refresh(size_t slot) { fill_[slot] = std::sqrt(loads_[slot] / even_[slot % options_.num_constraints]); }

  void add(int32_t part, int32_t node, int sign) {
    const int32_t* weights = weights_of(node);
    for (int32_t c = 0; c < options_.num_constraints; ++c) {
      if (weights[c] == 0) continue;
      const size_t slot = static_cast<size_t>(part) * options_.num_constraints + c;
      loads_[slot] += sign * static_cast<double>(weights[c]);
      refresh(slot);
    }
  }

  void count_neighbors(int32_t node) {
    std::fill(neighbors_.begin(), neighbors_.end(), 0);
    for (int64_t e = graph_.indptr[node]; e < graph_.indptr[node + 1]; ++e) {
      const int32_t src = graph_.indices[e];
      if (src != node && assignment_[src] >= 0) ++neighbors_[assignment_[src]];
    }
  }

  // Largest relative load that the part would have with the node, over the constraints the node adds to.
  double load_with(int32_t part, const int32_t* weights) const {
    double largest = 0;
    for (int32_t c = 0; c < options_.num_constraints; ++c) {
      if (weights[c] == 0) continue;
      const double load = loads_[static_cast<size_t>(part) * options_.num_constraints + c] + weights[c];
      largest = std::max(largest, load / even_[c]);
    }
    return largest;
  }

  double score(int32_t part, const int32_t* weights) const {
    double penalty = 0;
    for (int32_t c = 0; c < options_.num_constraints; ++c) {
      if (weights[c] == 0) continue;
      penalty += weights[c] / mean_weight_[c] * fill_[static_cast<size_t>(part) * options_.num_constraints + c];
    }
    return neighbors_[part] - slope_ * penalty;
  }

  int32_t best_part(int32_t node) const {
    const int32_t* weights = weights_of(node);
    const double most = 1 + options_.tolerance;
    const int32_t num_parts = options_.num_parts;
    int32_t best = -1, emptiest = -1;
    double best_score = 0, least_load = std::numeric_limits<double>::infinity();
    // Ties go to the first part from a place on that depends on the node.
    uint32_t counter[4] = {static_cast<uint32_t>(node), 0, 0, 0};
    philox4x32(counter, options_.seed, 0);
    const auto start = static_cast<int32_t>(counter[0] % static_cast<uint32_t>(num_parts));
    for (int32_t i = 0; i < num_parts; ++i) {
      const int32_t part = start + i < num_parts ? start + i : start + i - num_parts;
      const double load = load_with(part, weights);
      if (load < least_load) {
        least_load = load;
        emptiest = part;
      }
      if (load > most) continue;
      const double part_score = score(part, weights);
      if (best < 0 || part_score > best_score) {
        best = part;
        best_score = part_score;
      }
    }
    return best >= 0 ? best : emptiest;
  }

  const StreamedGraph& graph_;
  const StreamingOptions& options_;
  int32_t* assignment_;
  double* loads_;
  std::vector<int32_t> neighbors_;   // of the node being placed, by part
  const double slope_;
  std::vector<double> even_;         // [c] load of a part when all are equal
  std::vector<double> mean_weight_;  // [c]
  std::vector<double> fill_;         // [part, c] sqrt(load / even load)
};

}  // namespace

int64_t stream_nodes(const StreamedGraph& graph, const StreamingOptions& options, int32_t first, int32_t count,
                     const StreamedParts& parts) {
  Streamer streamer(graph, options, parts.assignment, parts.loads);
  int64_t moved = 0;
  for (int32_t node = first; node < first + count; ++node) moved += streamer.place(node);
  return moved;
}

}  // namespace gnn
