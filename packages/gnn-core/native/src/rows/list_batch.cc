#include "gnn/rows/list_batch.h"

#include <cstring>
#include <string>

#include "gnn/error.h"

namespace gnn {
namespace {

struct Place {
  const int32_t* entries = nullptr;
  const float* values = nullptr;
  int32_t count = 0;
};

std::vector<Place> places_of(const RowPlan& plan, const std::vector<DrawnRange>& ranges) {
  std::vector<Place> places(plan.ids.size());
  for (const DrawnRange& range : ranges) {
    const int32_t* entries = range.lists.entries.data();
    const float* values = range.lists.values.empty() ? nullptr : range.lists.values.data();
    for (size_t i = 0; i < range.lists.counts.size(); ++i) {
      const int32_t count = range.lists.counts[i];
      places[range.begin + i] = {entries, values, count};
      entries += count;
      if (values) values += count;
    }
  }
  return places;
}

}  // namespace

DrawnLists in_call_order(const RowPlan& plan, const std::vector<DrawnRange>& ranges) {
  const std::vector<Place> places = places_of(plan, ranges);
  std::vector<int32_t> list_at(plan.positions.size());
  for (size_t u = 0; u < plan.ids.size(); ++u) {
    for (int64_t i = plan.starts[u]; i < plan.starts[u + 1]; ++i) list_at[plan.positions[i]] = static_cast<int32_t>(u);
  }
  DrawnLists out;
  out.counts.reserve(list_at.size());
  int64_t total = 0;
  bool has_values = false;
  for (const int32_t u : list_at) {
    out.counts.push_back(places[u].count);
    total += places[u].count;
    has_values = has_values || places[u].values;
  }
  if (total > INT32_MAX) {
    throw Error("DATASET_TOO_LARGE", "One call draws " + std::to_string(total) + " entries; name fewer lists.");
  }
  out.entries.reserve(total);
  if (has_values) out.values.reserve(total);
  for (const int32_t u : list_at) {
    const Place& place = places[u];
    out.entries.insert(out.entries.end(), place.entries, place.entries + place.count);
    if (place.values) out.values.insert(out.values.end(), place.values, place.values + place.count);
  }
  return out;
}

}  // namespace gnn
