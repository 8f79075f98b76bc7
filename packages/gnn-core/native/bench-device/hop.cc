#include "hop.h"

#include "gnn/cuda/sampling/reverse_edges.h"

namespace bench {

Hop::Hop(Stream& stream)
    : num_dst_(sized(100'000, 20)),
      num_src_(4 * num_dst_),
      num_edges_(kDegree * num_dst_),
      indices_(random_ids(stream, num_edges_, num_src_)),
      reverse_indptr_(stream, num_src_ + 1),
      reverse_indices_(stream, num_edges_),
      reverse_edges_(stream, num_edges_) {
  std::vector<int32_t> indptr;
  for (int64_t v = 0; v <= num_dst_; ++v) indptr.push_back(static_cast<int32_t>(v * kDegree));
  indptr_ = uploaded(stream, indptr);
  view_ = {num_src_, num_dst_, num_edges_, indptr_.data(), indices_.data()};
  gnn::cuda::reverse_edges(stream, view_, {reverse_indptr_.data(), reverse_indices_.data(), reverse_edges_.data()});
  view_.reverse_indptr = reverse_indptr_.data();
  view_.reverse_indices = reverse_indices_.data();
}

}  // namespace bench
