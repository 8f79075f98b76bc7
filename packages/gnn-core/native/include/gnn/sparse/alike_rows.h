#pragma once
// The dst rows of a block in an order in which those that need the same products lie beside each other.
#include <cstdint>

#include "gnn/runtime/memory.h"
#include "gnn/sparse/block_view.h"
#include "gnn/sparse/relation_segments.h"

namespace gnn {

// `order` lists all dst rows: by type, then by which relations lead into them, then ascending. Rows of type t are
// [types[t], types[t + 1]) of it. In `by_dst` row i is the i-th of the order.
struct AlikeRows {
  Recycled<int32_t> order;  // [num_dst]
  Recycled<int32_t> types;  // [num_types + 1]
  RelationLists by_dst;
};

// Edge e is of relation relations[e], in [0, num_relations). row_types has the type of each dst row, in [0, num_types);
// null: all are of type 0.
AlikeRows alike_rows(const BlockView& block, const int32_t* relations, int64_t num_relations, const int32_t* row_types,
                     int64_t num_types);

}  // namespace gnn
