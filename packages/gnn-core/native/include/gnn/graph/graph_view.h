#pragma once
// Borrowed view of an in-edge CSC graph in consecutive parts. The arrays belong to the caller, who may have them from a
// file that somebody else wrote: offsets are checked column by column as they are used, sources by whoever indexes by
// them.
#include <atomic>
#include <cstdint>
#include <memory>
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
  int64_t num_edges;     // as many as indices, weights and types there are
  const int32_t* types = nullptr;  // relation of each edge, ascending inside a column; null when all are alike
};

// One column: the in-neighbours of a node.
struct Column {
  const int32_t* src;
  const float* weights;
  int64_t degree;
  const int32_t* types = nullptr;
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
  bool typed() const { return !parts_.empty() && parts_[0].types; }

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
    // Negative ones are large without a sign.
    const auto last = static_cast<uint64_t>(end);
    if (static_cast<uint64_t>(begin) > last || last > static_cast<uint64_t>(part.num_edges)) fail_column(node);
    return {part.indices + begin, part.weights ? part.weights + begin : nullptr, end - begin,
            part.types ? part.types + begin : nullptr};
  }

  // Looks once through the whole graph: every column lies within its part and every edge begins at a node of the graph,
  // whatever file it came from. For those who index by sources. Throws SHAPE_MISMATCH.
  void require_valid() const;

  void prefetch_column(int32_t node) const {
    const PartView& part = part_of(node);
    __builtin_prefetch(part.indptr + (node - part.first_node));
  }

 private:
  [[noreturn]] void fail_column(int32_t node) const;
  [[noreturn]] __attribute__((noinline)) void fail(int32_t node) const {
    if (node >= 0 && node < num_nodes_) {
      throw Error("SHAPE_MISMATCH", "The in-edges of node " + std::to_string(node) +
                                        " lie with another rank; here are " + "those of [" + std::to_string(first_) +
                                        ", " + std::to_string(first_ + int64_t{held_}) + ").");
    }
    throw Error("SHAPE_MISMATCH", "Node " + std::to_string(node) + " is not in the graph of " +
                                      std::to_string(num_nodes_) + " nodes.");
  }

  int32_t num_nodes_;
  int32_t first_;
  uint32_t held_ = 0;
  std::vector<PartView> parts_;
  // Shared by copies, which have the same arrays.
  std::shared_ptr<std::atomic<bool>> is_valid_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace gnn
