#pragma once
#include <cstdint>

namespace gnn {

// A model of undirected graphs, as far as edges go: draw number i is a pair of different nodes, always the same one.
class PairSource {
 public:
  virtual ~PairSource() = default;
  virtual int32_t num_nodes() const = 0;
  virtual void draw(uint64_t index, int32_t& u, int32_t& v) const = 0;
};

}  // namespace gnn
