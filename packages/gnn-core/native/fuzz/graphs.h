#pragma once
// Graphs from files that somebody else wrote: offsets, sources, weights and relations may be anything; only the first
// and the last offset are as the binding checks them.
#include <cstdint>
#include <vector>

#include "fuzz.h"
#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"

namespace fuzz {

struct Part {
  std::vector<int64_t> indptr;
  std::vector<int32_t> indices;
  std::vector<float> weights;
  std::vector<int32_t> types;
};

struct Graph {
  int32_t num_nodes = 0;
  std::vector<Part> parts;
  bool weighted = false;
  bool typed = false;
  bool damaged = false;

  std::vector<gnn::PartView> views() const;
};

// Relations in a graph that has some.
constexpr int32_t kRelations = 3;

Graph some_graph(Source& source, bool typed = false);
std::vector<int32_t> some_nodes(Source& source, int32_t num_nodes);
std::vector<int32_t> some_fanouts(Source& source);

// Ends the process where a block is none.
void check(const gnn::BlockData& block, int32_t num_nodes);

}  // namespace fuzz
