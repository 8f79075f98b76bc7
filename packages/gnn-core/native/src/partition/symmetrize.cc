#include <algorithm>
#include <string>

#include "gnn/partition/partition.h"

namespace gnn {
namespace {

// Out-edges of every node, by a counting sort of the in-edges; ascending, as columns are visited in order.
void transpose(const int64_t* indptr, const int32_t* indices, int32_t num_nodes, std::vector<int64_t>& out_ptr,
               std::vector<int32_t>& out_dst) {
  const int64_t num_edges = indptr[num_nodes];
  out_ptr.assign(static_cast<size_t>(num_nodes) + 1, 0);
  for (int64_t e = 0; e < num_edges; ++e) ++out_ptr[indices[e] + 1];
  for (int32_t v = 0; v < num_nodes; ++v) out_ptr[v + 1] += out_ptr[v];
  out_dst.resize(num_edges);
  std::vector<int64_t> next(out_ptr.begin(), out_ptr.end() - 1);
  for (int32_t dst = 0; dst < num_nodes; ++dst) {
    for (int64_t e = indptr[dst]; e < indptr[dst + 1]; ++e) out_dst[next[indices[e]]++] = dst;
  }
}

// The union of two ascending lists without `self` and repeats, appended to out.
void merge_neighbors(const int32_t* a, const int32_t* a_end, const int32_t* b, const int32_t* b_end, int32_t self,
                     std::vector<int32_t>& out) {
  int32_t last = self;
  while (a != a_end || b != b_end) {
    const int32_t next = b == b_end || (a != a_end && *a <= *b) ? *a++ : *b++;
    if (next != last && next != self) out.push_back(next);
    if (next != self) last = next;
  }
}

}  // namespace

Adjacency symmetrize(const int64_t* indptr, const int32_t* indices, int32_t num_nodes) {
  std::vector<int64_t> out_ptr;
  std::vector<int32_t> out_dst;
  transpose(indptr, indices, num_nodes, out_ptr, out_dst);
  Adjacency graph;
  graph.xadj.reserve(static_cast<size_t>(num_nodes) + 1);
  graph.xadj.push_back(0);
  for (int32_t v = 0; v < num_nodes; ++v) {
    merge_neighbors(indices + indptr[v], indices + indptr[v + 1], out_dst.data() + out_ptr[v],
                    out_dst.data() + out_ptr[v + 1], v, graph.adjncy);
    if (graph.adjncy.size() > static_cast<size_t>(INT32_MAX)) {
      throw Error("PARTITION_TOO_LARGE",
                  "The undirected graph has over 2^31 - 1 adjacency entries by node " + std::to_string(v) + " of " +
                      std::to_string(num_nodes) +
                      ", more than METIS' 32-bit indices hold; use the streaming partitioner.");
    }
    graph.xadj.push_back(static_cast<int32_t>(graph.adjncy.size()));
  }
  return graph;
}

}  // namespace gnn
