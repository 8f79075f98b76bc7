#pragma once
// Node id -> row of a block, by open addressing. Rows are given in order of first insertion.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace gnn {

class RowMap {
 public:
  // Forgets everything and makes room for `expected` nodes; memory is kept between uses.
  void reset(size_t expected) {
    size_t capacity = 1024;
    while (capacity < expected * 2) capacity *= 2;
    slots_.assign(capacity, Slot{});
    nodes_.clear();
  }

  const std::vector<int32_t>& nodes() const { return nodes_; }
  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }

  // A row of its own even for a node that is there already (a repeated seed); later look-ups find the first.
  void append(int32_t node) {
    nodes_.push_back(node);
    Slot& slot = find(node);
    if (slot.row < 0) slot = {node, size() - 1};
    if (nodes_.size() * 2 > slots_.size()) grow();
  }

  int32_t row_of(int32_t node) {
    Slot& slot = find(node);
    if (slot.row >= 0) return slot.row;
    const int32_t row = size();
    slot = {node, row};
    nodes_.push_back(node);
    if (nodes_.size() * 2 > slots_.size()) grow();
    return row;
  }

  void prefetch(int32_t node) const { __builtin_prefetch(&slots_[start(node)], 1); }

 private:
  struct Slot {
    int32_t node = -1;
    int32_t row = -1;
  };

  size_t start(int32_t node) const {
    return (static_cast<uint32_t>(node) * 0x9E3779B97F4A7C15ULL >> 32) & (slots_.size() - 1);
  }

  Slot& find(int32_t node) {
    size_t at = start(node);
    while (slots_[at].row >= 0 && slots_[at].node != node) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    for (int32_t row = 0; row < size(); ++row) {
      Slot& slot = find(nodes_[row]);
      if (slot.row < 0) slot = {nodes_[row], row};
    }
  }

  std::vector<Slot> slots_;
  std::vector<int32_t> nodes_;
};

}  // namespace gnn
