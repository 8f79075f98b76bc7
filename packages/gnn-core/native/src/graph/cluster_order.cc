#include "gnn/graph/cluster_order.h"

#include <algorithm>
#include <numeric>

#include "gnn/graph/label_votes.h"

namespace gnn {
namespace {

constexpr int kSweeps = 4;
constexpr int64_t kAhead = 8;  // nodes whose in-neighbours are asked for early
// Sweeps end when fewer than 1 of kSettled nodes moved; there are no clusters when, after kTrial sweeps, fewer than 1
// of kClustered in-neighbours share their node's label.
constexpr int64_t kSettled = 64, kClustered = 6;
constexpr int kTrial = 2;

class Clusters {
 public:
  Clusters(const GraphView& graph, int32_t first, int32_t count, int32_t most_nodes)
      : graph_(graph), first_(first), count_(count), most_nodes_(most_nodes), label_(count), size_(count, 1) {
    std::iota(label_.begin(), label_.end(), 0);
  }

  // False where the graph has no clusters to speak of.
  bool find() {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      looked_ = agreed_ = moved_ = 0;
      for (int32_t v = 0; v < count_; ++v) vote(v, sweep);
      if (sweep == kTrial && agreed_ * kClustered < looked_) return false;
      if (moved_ * kSettled < count_) break;
    }
    return true;
  }

  std::vector<int32_t> order() const {
    std::vector<int32_t> next(size_.size() + 1, 0);
    std::partial_sum(size_.begin(), size_.end(), next.begin() + 1);
    std::vector<int32_t> nodes(label_.size());
    for (int32_t v = 0; v < count_; ++v) nodes[next[label_[v]]++] = first_ + v;
    return nodes;
  }

 private:
  // kLanes in-neighbours one after the other, others in each sweep.
  static const int32_t* window(const Column& column, int32_t v, int sweep) {
    if (column.degree <= kLanes) return column.src;
    const auto turn = static_cast<uint32_t>(v) * 0x9E3779B9u + static_cast<uint32_t>(sweep) * 0x85EBCA6Bu;
    return column.src + static_cast<int64_t>(turn) % (column.degree - kLanes + 1);
  }

  // Gives v the label that most of its in-neighbours have, among those of clusters with room.
  void vote(int32_t v, int sweep) {
    if (v + kAhead < count_) __builtin_prefetch(window(graph_.column(first_ + v + kAhead), v + kAhead, sweep));
    const Column column = graph_.column(first_ + v);
    const int32_t* src = window(column, v, sweep);
    const auto looked = static_cast<int>(std::min<int64_t>(column.degree, kLanes));
    int32_t labels[kLanes], votes[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const uint32_t u = i < looked ? static_cast<uint32_t>(src[i]) - static_cast<uint32_t>(first_) : UINT32_MAX;
      labels[i] = u < static_cast<uint32_t>(count_) ? label_[u] : -1;
    }
    count_votes(labels, votes);
    int32_t& own = label_[v];
    int32_t best = own, most = 0;
    for (int i = 0; i < looked; ++i) {
      if (labels[i] == own) most = votes[i];
    }
    looked_ += looked, agreed_ += most;
    for (int i = 0; i < looked; ++i) {
      if (votes[i] > most && labels[i] >= 0 && size_[labels[i]] < most_nodes_) best = labels[i], most = votes[i];
    }
    if (best == own) return;
    --size_[own], ++size_[best], ++moved_;
    own = best;
  }

  const GraphView& graph_;
  int32_t first_, count_, most_nodes_;
  std::vector<int32_t> label_, size_;
  int64_t looked_ = 0, agreed_ = 0, moved_ = 0;
};

}  // namespace

std::vector<int32_t> cluster_order(const GraphView& graph, int32_t first, int32_t count, int32_t most_nodes) {
  if (first < 0 || count < 0 || int64_t{first} + count > graph.num_nodes()) {
    throw Error("SHAPE_MISMATCH", "The nodes from " + std::to_string(first) + " on, " + std::to_string(count) +
                                      " of them, are not all in a graph of " + std::to_string(graph.num_nodes()) +
                                      " nodes.");
  }
  Clusters clusters(graph, first, count, most_nodes);
  if (count > 0 && clusters.find()) return clusters.order();
  std::vector<int32_t> ascending(count);
  std::iota(ascending.begin(), ascending.end(), first);
  return ascending;
}

}  // namespace gnn
