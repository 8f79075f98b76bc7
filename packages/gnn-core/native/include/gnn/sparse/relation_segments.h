#pragma once
// The edges of a block by relation: what aggregation over typed edges walks.
#include <cstdint>

#include "gnn/runtime/memory.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// Lists of edges, one per relation and row that has any: segment s is the row rows[s] and the entries
// [indptr[s], indptr[s + 1]); those of relation r are the segments [relations[r], relations[r + 1]). A row has at most
// one segment of a relation, so that the segments of one relation can be worked on in parallel; they lie by row.
struct RelationSegments {
  int64_t num_relations;
  int64_t num_segments;
  const int32_t* relations;  // [num_relations + 1]
  const int32_t* rows;       // [number of segments]
  const int32_t* indptr;     // [number of segments + 1]
  const int32_t* entries;    // [number of edges]
};

// Such lists with memory of their own.
struct RelationLists {
  Recycled<int32_t> relations;
  Recycled<int32_t> rows;
  Recycled<int32_t> indptr;
  Recycled<int32_t> entries;

  RelationSegments view() const {
    return {.num_relations = static_cast<int64_t>(relations.size()) - 1,
            .num_segments = static_cast<int64_t>(rows.size()),
            .relations = relations.data(),
            .rows = rows.data(),
            .indptr = indptr.data(),
            .entries = entries.data()};
  }
};

// By dst: rows are dst rows, entries src rows in the order of the block. types[e] is in [0, num_relations).
RelationLists relations_by_dst(const BlockView& block, const int32_t* types, int64_t num_relations);

// By src: rows are src rows, ascending within a relation; entries are segments of `by_dst`, counted from the first of
// their relation.
RelationLists relations_by_src(const RelationSegments& by_dst, int64_t num_src);

}  // namespace gnn
