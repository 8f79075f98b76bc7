#include "gnn/graph/in_degrees.h"

namespace gnn {

std::vector<float> in_degrees(const GraphView& graph, const std::vector<int32_t>& nodes) {
  std::vector<float> degrees;
  degrees.reserve(nodes.size());
  for (const int32_t node : nodes) {
    const Column column = graph.column(node);
    double sum = 0.0;
    for (int64_t e = 0; column.weights && e < column.degree; ++e) sum += column.weights[e];
    degrees.push_back(column.weights ? static_cast<float>(sum) : static_cast<float>(column.degree));
  }
  return degrees;
}

}  // namespace gnn
