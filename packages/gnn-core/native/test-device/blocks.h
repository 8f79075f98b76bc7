#pragma once
// Blocks of tests: on the host for the CPU's kernels, on the device for theirs.
#include <cstdint>
#include <vector>

#include "arrays.h"
#include "gnn/sparse/block_view.h"

namespace check {

// Edges by dst and by src.
struct HostBlock {
  int64_t num_src, num_dst;
  std::vector<int32_t> indptr, indices;
  std::vector<int32_t> reverse_indptr, reverse_indices, reverse_edges;

  int64_t num_edges() const { return static_cast<int64_t>(indices.size()); }
  gnn::BlockView view() const;
};

// Rows have up to `most` in-neighbours, some have none.
HostBlock random_block(int64_t num_src, int64_t num_dst, int most, unsigned seed);

// One whose rows are few and short, one whose rows are longer than a warp, one without edges, one without rows.
std::vector<HostBlock> some_blocks();

class DeviceBlock {
 public:
  DeviceBlock(Stream& stream, const HostBlock& block);
  const gnn::BlockView& view() const { return view_; }
  const int32_t* reverse_edges() const { return reverse_edges_; }

 private:
  OnDevice<int32_t> indptr_, indices_, reverse_indptr_, reverse_indices_, reverse_edges_;
  gnn::BlockView view_;
};

}  // namespace check
