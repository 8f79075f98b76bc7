#pragma once
// Node id -> row of a block. Rows are given in order of first insertion, by a table of all nodes where that is not much
// larger than a hash table of the batch's nodes, else by open addressing; the rows are the same.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gnn/error.h"

namespace gnn {

class RowMap {
 public:
  // Forgets everything and makes room for `expected` nodes out of `num_nodes`; memory is kept between uses.
  void reset(size_t expected, int32_t num_nodes) {
    size_t capacity = 1024;
    while (capacity < expected * 2) capacity *= 2;
    num_nodes_ = num_nodes;
    nodes_.clear();
    direct_ = static_cast<size_t>(num_nodes) <= capacity * kDirectFactor;
    if (direct_) return reset_direct();
    slots_.assign(capacity, Slot{});
  }

  const std::vector<int32_t>& nodes() const { return nodes_; }
  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }

  // A row of its own even for a node that is there already (a repeated seed); later look-ups find the first.
  // Throws SHAPE_MISMATCH for a node outside the graph.
  void append(int32_t node) {
    const int32_t row = size();
    nodes_.push_back(node);
    insert(node, row);
  }

  int32_t row_of(int32_t node) {
    const int32_t row = size();
    const int32_t found = insert(node, row);
    if (found == row) nodes_.push_back(node);
    return found;
  }

  // The node's row, -1 when it has none. Throws SHAPE_MISMATCH for a node outside the graph.
  int32_t find_row(int32_t node) const {
    if (static_cast<uint32_t>(node) >= static_cast<uint32_t>(num_nodes_)) fail(node);
    if (direct_) return stamps_[node].version == version_ ? stamps_[node].row : -1;
    size_t at = start(node);
    while (slots_[at].row >= 0 && slots_[at].node != node) at = (at + 1) & (slots_.size() - 1);
    return slots_[at].row;
  }

  void prefetch(int32_t node) const {
    if (direct_) {
      __builtin_prefetch(stamps_.data() + node, 1);  // of any address: a wrong node faults only when it is looked up
    } else {
      __builtin_prefetch(&slots_[start(node)], 1);
    }
  }

 private:
  static constexpr size_t kDirectFactor = 4;

  struct Slot {
    int32_t node = -1;
    int32_t row = -1;
  };
  // Belongs to the present batch when `version` does.
  struct Stamp {
    int32_t row = -1;
    uint32_t version = 0;
  };

  void reset_direct() {
    const auto count = static_cast<size_t>(num_nodes_);
    if (++version_ == 0 || stamps_.size() < count) {
      stamps_.assign(count, Stamp{});
      version_ = 1;
    }
  }

  // The node's row: the one it has, else `row`, which it has from now on.
  int32_t insert(int32_t node, int32_t row) {
    if (static_cast<uint32_t>(node) >= static_cast<uint32_t>(num_nodes_)) fail(node);
    if (direct_) {
      Stamp& stamp = stamps_[node];
      if (stamp.version != version_) stamp = {row, version_};
      return stamp.row;
    }
    Slot& slot = find(node);
    if (slot.row >= 0) return slot.row;
    slot = {node, row};
    if ((static_cast<size_t>(row) + 1) * 2 > slots_.size()) grow();
    return row;
  }

  [[noreturn]] __attribute__((noinline)) void fail(int32_t node) const {
    throw Error("SHAPE_MISMATCH", "Node " + std::to_string(node) + " is not in the graph of " +
                                      std::to_string(num_nodes_) + " nodes.");
  }

  size_t start(int32_t node) const {
    return (static_cast<uint32_t>(node) * 0x9E3779B97F4A7C15ULL >> 32) & (slots_.size() - 1);
  }

  Slot& find(int32_t node) {
    size_t at = start(node);
    while (slots_[at].row >= 0 && slots_[at].node != node) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.row >= 0) find(slot.node) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<Stamp> stamps_;
  std::vector<int32_t> nodes_;
  int32_t num_nodes_ = 0;
  uint32_t version_ = 0;
  bool direct_ = false;
};

}  // namespace gnn
