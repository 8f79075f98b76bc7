#include "gnn/rows/list_table.h"

#include <algorithm>

#include "gnn/sampling/pick.h"

namespace gnn {
namespace {

constexpr int64_t kPrefetch = 8;  // lists ahead whose offsets are fetched

std::vector<int64_t> checked(const std::string& name, std::vector<int64_t> offsets, int rank,
                             const std::vector<PartView>& parts) {
  const bool ascends = std::is_sorted(offsets.begin(), offsets.end()) && !offsets.empty() && offsets[0] == 0;
  if (!ascends || offsets.size() < static_cast<size_t>(rank) + 2 || offsets.back() > INT32_MAX) {
    throw Error("SPEC_INVALID",
                "\"" + name + "\" needs offsets ascending from 0, one range for each rank, up to 2^31.");
  }
  int64_t held = 0;
  for (const PartView& part : parts) held += part.num_nodes;
  const bool starts = !parts.empty() && parts[0].first_node == offsets[rank];
  if (!starts || held != offsets[rank + 1] - offsets[rank]) {
    throw Error("SPEC_INVALID", "The parts of \"" + name + "\" have " + std::to_string(held) + " lists; rank " +
                                    std::to_string(rank) + " owns [" + std::to_string(offsets[rank]) + ", " +
                                    std::to_string(offsets[rank + 1]) + ").");
  }
  return offsets;
}

// The entries of one relation, by which lists are sorted. Of lists that are not, some slice.
Column of_relation(const Column& list, int32_t relation) {
  const auto [first, last] = std::equal_range(list.types, list.types + list.degree, relation);
  const int64_t begin = first - list.types;
  return {list.src + begin, list.weights ? list.weights + begin : nullptr, std::max<int64_t>(last - first, 0), first};
}

}  // namespace

ListTable::ListTable(std::string name, std::vector<int64_t> offsets, int rank, std::vector<PartView> parts)
    : name_(std::move(name)),
      offsets_(checked(name_, std::move(offsets), rank, parts)),
      lists_(static_cast<int32_t>(offsets_.back()), std::move(parts), GraphView::Holds::some) {}

int64_t ListTable::draw(const int32_t* ids, int64_t count, const ListDraw& draw, int64_t max_entries,
                        DrawnLists& out, int64_t longest) const {
  if (draw.relation >= 0 && !lists_.typed()) {
    throw Error("SPEC_INVALID", "The entries of \"" + name_ + "\" have no relations to draw from.");
  }
  std::vector<int64_t> positions;
  int64_t num_drawn = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i + kPrefetch < count && lists_.holds(ids[i + kPrefetch])) lists_.prefetch_column(ids[i + kPrefetch]);
    const Column whole = lists_.column(ids[i]);
    const Column list = draw.relation < 0 ? whole : of_relation(whole, draw.relation);
    const int64_t picks = num_picks(list.degree, draw.fanout, draw.replace);
    if (i > 0 && num_drawn + picks > max_entries) return i;
    if (picks > longest) {
      throw Error("SPEC_INVALID", "Node " + std::to_string(ids[i]) + " would give " + std::to_string(picks) +
                                      " entries of \"" + name_ + "\"; at most " + std::to_string(longest) +
                                      " can be sent. Draw fewer.");
    }
    if (static_cast<int64_t>(positions.size()) < picks) positions.resize(picks);
    pick_positions(list.degree, picks, draw.fanout < 0, draw.replace, NodeRng(draw.stream, ids[i]), positions.data());
    for (int64_t k = 0; k < picks; ++k) out.entries.push_back(list.src[positions[k]]);
    for (int64_t k = 0; list.weights && k < picks; ++k) out.values.push_back(list.weights[positions[k]]);
    out.counts.push_back(static_cast<int32_t>(picks));
    num_drawn += picks;
  }
  return count;
}

}  // namespace gnn
