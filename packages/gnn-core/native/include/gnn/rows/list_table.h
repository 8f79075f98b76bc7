#pragma once
// Lists by global id of which one rank owns a range: the in-edges of its nodes (entries: sources, values: weights), or
// the stored columns of sparse rows. What is drawn from a list depends on the key and its id alone, never on who asks.
//
// The arrays belong to the caller, who neither frees nor writes them while the table is hosted; any thread may draw.
#include <cstdint>
#include <string>
#include <vector>

#include "gnn/graph/graph_view.h"

namespace gnn {

// `fanout` entries of each list, negative: all; `stream` as of hop_stream, or of relation_stream where the entries of
// one relation alone are drawn from.
struct ListDraw {
  int32_t fanout = -1;
  bool replace = false;
  uint64_t stream = 0;
  int32_t relation = -1;  // negative: whole lists
};

// Entries of a list are in its order, one list after the other.
struct DrawnLists {
  std::vector<int32_t> counts;
  std::vector<int32_t> entries;
  std::vector<float> values;  // one per entry, if the table has any
};

class ListTable {
 public:
  // offsets [numRanks + 1]: who owns which ids. Throws SPEC_INVALID when the parts are not this rank's range.
  ListTable(std::string name, std::vector<int64_t> offsets, int rank, std::vector<PartView> parts);

  const std::string& name() const { return name_; }
  const std::vector<int64_t>& offsets() const { return offsets_; }
  int64_t num_lists() const { return offsets_.back(); }
  bool has_values() const { return lists_.weighted(); }
  int64_t entry_bytes() const { return has_values() ? 8 : 4; }

  // Appends to `out`, id after id, before `max_entries` would be passed, but at least one.
  // @param longest what may be drawn from one list
  // @returns how many ids are done. Throws SHAPE_MISMATCH for an id of another rank, SPEC_INVALID when more than
  // `longest` would be drawn from the list of one, or those of a relation from lists without any.
  int64_t draw(const int32_t* ids, int64_t count, const ListDraw& draw, int64_t max_entries, DrawnLists& out,
               int64_t longest = INT64_MAX) const;

 private:
  const std::string name_;
  const std::vector<int64_t> offsets_;
  const GraphView lists_;
};

}  // namespace gnn
