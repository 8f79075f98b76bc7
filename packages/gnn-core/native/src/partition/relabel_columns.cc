#include <algorithm>
#include <utility>

#include "gnn/partition/partition.h"

namespace gnn {

RelabelledColumns relabel_columns(const RelabelColumns& op) {
  const auto& [indptr, indices, node_map, global_ids, first, count, types] = op;
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
  // Type and GlobalId in one number, and the edge.
  std::vector<std::pair<int64_t, int64_t>> column;
  for (int64_t i = first; i < first + count; ++i) {
    column.clear();
    for (int64_t e = indptr[node_map[i]]; e < indptr[node_map[i] + 1]; ++e) {
      const int64_t type = types != nullptr ? types[e] : 0;
      column.emplace_back(type << 32 | global_ids[indices[e]], e);
    }
    std::sort(column.begin(), column.end());
    for (const auto& [key, edge] : column) {
      columns.indices.push_back(static_cast<int32_t>(key & INT32_MAX));
      columns.edge_map.push_back(edge);
    }
  }
  return columns;
}

}  // namespace gnn
