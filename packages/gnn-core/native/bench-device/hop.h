#pragma once
#include "gnn/sparse/block_view.h"
#include "measure.h"

namespace bench {

// A hop of a mini-batch with ten in-edges a row: larger than any cache of a GPU, by the rows that it reads.
class Hop {
 public:
  explicit Hop(Stream& stream);
  const gnn::BlockView& view() const { return view_; }
  const int32_t* reverse_edges() const { return reverse_edges_.data(); }

 private:
  static constexpr int64_t kDegree = 10;
  const int64_t num_dst_, num_src_, num_edges_;
  Array<int32_t> indptr_, indices_, reverse_indptr_, reverse_indices_, reverse_edges_;
  gnn::BlockView view_;
};

}  // namespace bench
