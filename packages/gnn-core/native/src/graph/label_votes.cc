#include "gnn/graph/label_votes.h"
#include "gnn/runtime/isa.h"

namespace gnn {

GNN_MULTIVERSION void count_votes(const int32_t* labels, int32_t* votes) {
  Ints voted;
  std::memcpy(&voted, labels, sizeof voted);
  Ints counts{};
  for (int lane = 0; lane < kLanes; ++lane) counts -= voted == Ints{} + labels[lane];
  std::memcpy(votes, &counts, sizeof counts);
}

}  // namespace gnn
