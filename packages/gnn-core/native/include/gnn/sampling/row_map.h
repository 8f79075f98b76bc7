#pragma once
// Node id -> row of a block. Rows are given in order of first insertion, by a table of all nodes where that is not much
// larger than a hash table of the batch's nodes, else by open addressing; the rows are the same.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gnn/error.h"
#include "gnn/runtime/memory.h"

namespace gnn {

class RowMap {
 public:
  // Forgets everything and makes room for `expected` nodes out of `num_nodes`; memory is kept between uses.
  void reset(size_t expected, int32_t num_nodes) {
    size_t capacity = 1024;
    while (capacity < expected * 2) capacity *= 2;
    num_nodes_ = num_nodes;
    if (direct_) base_ += static_cast<uint32_t>(size_);
    direct_ = static_cast<size_t>(num_nodes) <= capacity * kDirectFactor;
    if (direct_) {
      reset_direct();
    } else {
      slots_.assign(capacity, Slot{});
    }
    size_ = 0;
  }

  // The node of every row.
  const int32_t* data() const { return nodes_.data(); }
  int32_t size() const { return size_; }

  // A row of its own even for a node that is there already (a repeated seed); later look-ups find the first.
  // Throws SHAPE_MISMATCH for a node outside the graph.
  void append(int32_t node) {
    reserve(1);
    nodes_[size_] = node;
    insert(node, size_);
    ++size_;
  }

  int32_t row_of(int32_t node) {
    int32_t row;
    rows_of(&node, 1, &row);
    return row;
  }

  // The rows of `count` nodes, one after the other.
  void rows_of(const int32_t* nodes, size_t count, int32_t* rows) {
    reserve(count);
    if (direct_) return rows_of_direct(nodes, count, rows);
    for (size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(&slots_[start(nodes[i + kAhead])], 1);
      nodes_[size_] = nodes[i];
      rows[i] = insert(nodes[i], size_);
      size_ += rows[i] == size_;
    }
  }

  // The node's row, -1 when it has none. Throws SHAPE_MISMATCH for a node outside the graph.
  int32_t find_row(int32_t node) const {
    if (static_cast<uint32_t>(node) >= static_cast<uint32_t>(num_nodes_)) fail(node);
    if (direct_) {
      const uint32_t row = stamps_[node] - base_;
      return row < static_cast<uint32_t>(size_) ? static_cast<int32_t>(row) : -1;
    }
    size_t at = start(node);
    while (slots_[at].row >= 0 && slots_[at].node != node) at = (at + 1) & (slots_.size() - 1);
    return slots_[at].row;
  }

 private:
  static constexpr size_t kDirectFactor = 4;
  static constexpr size_t kAhead = 16;  // nodes whose places in the table are asked for early
  static constexpr uint32_t kHighestBase = uint32_t{1} << 31;

  struct Slot {
    int32_t node = -1;
    int32_t row = -1;
  };

  // The present batch's stamps are base_ + row; those of earlier batches are smaller.
  void reset_direct() {
    const auto count = static_cast<size_t>(num_nodes_);
    if (base_ < kHighestBase && stamps_.size() >= count) return;
    stamps_.assign(std::max(count, stamps_.size()), 0);
    base_ = 1;
  }

  void reserve(size_t more) {
    const size_t needed = static_cast<size_t>(size_) + more;
    if (nodes_.size() < needed) nodes_.resize(std::max(needed, nodes_.size() + nodes_.size() / 2));
  }

  void rows_of_direct(const int32_t* nodes, size_t count, int32_t* rows) {
    uint32_t* stamps = stamps_.data();
    int32_t* known = nodes_.data();
    const uint32_t base = base_;
    auto size = static_cast<uint32_t>(size_);
    for (size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(stamps + nodes[i + kAhead], 1);  // a wrong node faults only below
      const int32_t node = nodes[i];
      if (static_cast<uint32_t>(node) >= static_cast<uint32_t>(num_nodes_)) {
        size_ = static_cast<int32_t>(size);  // what is stamped is of this batch
        fail(node);
      }
      uint32_t row = stamps[node] - base;
      if (row >= size) {
        row = size++;
        stamps[node] = base + row;
        known[row] = node;
      }
      rows[i] = static_cast<int32_t>(row);
    }
    size_ = static_cast<int32_t>(size);
  }

  // The node's row: the one it has, else `row`, which it has from now on.
  int32_t insert(int32_t node, int32_t row) {
    if (static_cast<uint32_t>(node) >= static_cast<uint32_t>(num_nodes_)) fail(node);
    if (direct_) {
      if (stamps_[node] - base_ >= static_cast<uint32_t>(size_)) stamps_[node] = base_ + static_cast<uint32_t>(row);
      return static_cast<int32_t>(stamps_[node] - base_);
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
  std::vector<uint32_t> stamps_;
  Recycled<int32_t> nodes_;  // as long as was ever needed; the first size_ are in use
  int32_t num_nodes_ = 0;
  int32_t size_ = 0;
  uint32_t base_ = 0;
  bool direct_ = false;
};

}  // namespace gnn
