#include <algorithm>
#include <utility>

#include "gnn/partition/partition.h"

namespace gnn {

RelabelledColumns relabel_columns(const RelabelColumns& op) {
  const auto& [indptr, indices, node_map, global_ids, first, count] = op;
  RelabelledColumns columns;
  int64_t num_edges = 0;
  columns.indptr.reserve(count + 1);
  columns.indptr.push_back(0);
  for (int64_t i = first; i < first + count; ++i) {
    num_edges += indptr[node_map[i] + 1] - indptr[node_map[i]];
    columns.indptr.push_back(num_edges);
  }
  columns.indices.reserve(num_edges);
  columns.edge_map.reserve(num_edges);
  std::vector<std::pair<int32_t, int64_t>> column;
  for (int64_t i = first; i < first + count; ++i) {
    column.clear();
    for (int64_t e = indptr[node_map[i]]; e < indptr[node_map[i] + 1]; ++e) {
      column.emplace_back(global_ids[indices[e]], e);
    }
    std::sort(column.begin(), column.end());
    for (const auto& [src, edge] : column) {
      columns.indices.push_back(src);
      columns.edge_map.push_back(edge);
    }
  }
  return columns;
}

}  // namespace gnn
