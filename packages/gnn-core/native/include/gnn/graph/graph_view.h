#pragma once
// Borrowed view of an in-edge CSC graph in consecutive parts. The arrays belong to the caller.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gnn/error.h"

namespace gnn {

struct PartView {
  int32_t first_node;
  int32_t num_nodes;
  const int64_t* indptr;
  const int32_t* indices;
  const float* weights;  // null when the graph has none
};

// One column: the in-neighbours of a node.
struct Column {
  const int32_t* src;
  const float* weights;
  int64_t degree;
};

class GraphView {
 public:
  // All parts, or those that one rank holds: ids are of the whole graph, and only the columns of these parts are known.
  enum class Holds { all, some };

  GraphView(int32_t num_nodes, std::vector<PartView> parts, Holds holds = Holds::all)
      : num_nodes_(num_nodes), first_(parts.empty() || holds == Holds::all ? 0 : parts[0].first_node),
        parts_(std::move(parts)) {
    int64_t next = first_;
    for (const PartView& part : parts_) {
      if (part.first_node != next) throw Error("SHAPE_MISMATCH", "Graph parts are not consecutive.");
      next += part.num_nodes;
    }
    if (holds == Holds::all ? next != num_nodes_ : next > num_nodes_) {
      throw Error("SHAPE_MISMATCH", "Graph parts do not add up to the number of nodes.");
    }
    held_ = static_cast<uint32_t>(next - first_);
  }

  int32_t num_nodes() const { return num_nodes_; }
  const std::vector<PartView>& parts() const { return parts_; }
  bool weighted() const { return !parts_.empty() && parts_[0].weights; }

  // Are the node's in-edges here?
  bool holds(int32_t node) const { return static_cast<uint32_t>(node) - static_cast<uint32_t>(first_) < held_; }

  const PartView& part_of(int32_t node) const {
    if (!holds(node)) fail(node);
    size_t p = 0;
    while (node >= parts_[p].first_node + int64_t{parts_[p].num_nodes}) ++p;
    return parts_[p];
  }

  Column column(int32_t node) const {
    const PartView& part = part_of(node);
    const int64_t begin = part.indptr[node - part.first_node], end = part.indptr[node - part.first_node + 1];
    return {part.indices + begin, part.weights ? part.weights + begin : nullptr, end - begin};
  }

  void prefetch_column(int32_t node) const {
    const PartView& part = part_of(node);
    __builtin_prefetch(part.indptr + (node - part.first_node));
  }

 private:
  [[noreturn]] __attribute__((noinline)) void fail(int32_t node) const {
    if (node >= 0 && node < num_nodes_) {
      throw Error("SHAPE_MISMATCH", "The in-edges of node " + std::to_string(node) + " lie with another rank; here are " +
                                        "those of [" + std::to_string(first_) + ", " + std::to_string(first_ + int64_t{held_}) +
                                        ").");
    }
    throw Error("SHAPE_MISMATCH", "Node " + std::to_string(node) + " is not in the graph of " +
                                      std::to_string(num_nodes_) + " nodes.");
  }

  int32_t num_nodes_;
  int32_t first_;
  uint32_t held_ = 0;
  std::vector<PartView> parts_;
};

}  // namespace gnn
