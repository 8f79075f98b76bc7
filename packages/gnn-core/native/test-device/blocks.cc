#include "blocks.h"

#include <random>

#include "gnn/sampling/reverse_edges.h"

namespace check {

gnn::BlockView HostBlock::view() const {
  return {.num_src = num_src,
          .num_dst = num_dst,
          .num_edges = num_edges(),
          .indptr = indptr.data(),
          .indices = indices.data(),
          .reverse_indptr = reverse_indptr.data(),
          .reverse_indices = reverse_indices.data()};
}

HostBlock random_block(int64_t num_src, int64_t num_dst, int most, unsigned seed) {
  std::mt19937 random(seed);
  HostBlock block{num_src, num_dst, {0}, {}, {}, {}, {}};
  for (int64_t dst = 0; dst < num_dst; ++dst) {
    const unsigned degree = random() % static_cast<unsigned>(most + 1);
    for (unsigned i = 0; i < degree; ++i) {
      block.indices.push_back(static_cast<int32_t>(random() % static_cast<unsigned>(num_src)));
    }
    block.indptr.push_back(static_cast<int32_t>(block.indices.size()));
  }
  const gnn::ReverseEdges reverse = gnn::reverse_edges(block.view());
  block.reverse_indptr.assign(reverse.indptr.begin(), reverse.indptr.end());
  block.reverse_indices.assign(reverse.indices.begin(), reverse.indices.end());
  block.reverse_edges.assign(reverse.edges.begin(), reverse.edges.end());
  return block;
}

std::vector<HostBlock> some_blocks() {
  return {random_block(31, 17, 11, 3), random_block(200, 50, 90, 4), random_block(5, 3, 0, 5),
          random_block(4, 0, 1, 6)};
}

DeviceBlock::DeviceBlock(Stream& stream, const HostBlock& block)
    : indptr_(stream, block.indptr),
      indices_(stream, block.indices),
      reverse_indptr_(stream, block.reverse_indptr),
      reverse_indices_(stream, block.reverse_indices),
      reverse_edges_(stream, block.reverse_edges),
      view_{.num_src = block.num_src,
            .num_dst = block.num_dst,
            .num_edges = block.num_edges(),
            .indptr = indptr_,
            .indices = indices_,
            .reverse_indptr = reverse_indptr_,
            .reverse_indices = reverse_indices_} {}

}  // namespace check
