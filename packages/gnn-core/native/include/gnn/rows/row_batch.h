#pragma once
// One batched call, put in order once: each row is asked for or written once, and owners have ranges of it.
#include <cstdint>
#include <vector>

#include "gnn/rows/row_schema.h"

namespace gnn {

struct RowPlan {
  std::vector<int32_t> ids;        // distinct, ascending
  std::vector<int64_t> starts;     // [ids + 1] into positions
  std::vector<int32_t> positions;  // where each id stood in the call, ascending per id
};

// Throws SHAPE_MISMATCH naming the table when an id is outside [0, num_rows).
RowPlan plan_rows(const std::string& table, const int32_t* ids, int64_t count, int64_t num_rows);

// Puts the rows of plan.ids[begin, end) where they were asked for.
void scatter_rows(const RowPlan& plan, int64_t begin, int64_t end, const uint8_t* rows, int64_t row_bytes,
                  uint8_t* out);

// One row per distinct id. kSet: the last one given; kAdd: their sum in the order given.
// Throws SPEC_INVALID when rows of this type cannot be added.
std::vector<uint8_t> reduce_rows(const RowPlan& plan, RowOp op, const RowSchema& schema, const uint8_t* rows);

// into[i] += row[i]
void add_row(RowDtype dtype, int64_t dim, const uint8_t* row, uint8_t* into);

// Throws SPEC_INVALID for types without a sum.
void require_addable(const std::string& table, RowDtype dtype);

// Calls visit(owner, begin, end) for the range of plan.ids that each rank owns, where there is one.
template <typename Visit>
void for_each_owner(const RowPlan& plan, const std::vector<int64_t>& offsets, Visit&& visit) {
  const auto count = static_cast<int64_t>(plan.ids.size());
  int64_t begin = 0;
  for (size_t owner = 0; owner + 1 < offsets.size() && begin < count; ++owner) {
    int64_t end = begin;
    // Ranges are long against the number of ranks: a search, not a walk.
    int64_t high = count;
    while (end < high) {
      const int64_t middle = (end + high) / 2;
      if (plan.ids[middle] < offsets[owner + 1]) end = middle + 1;
      else high = middle;
    }
    if (end > begin) visit(static_cast<int>(owner), begin, end);
    begin = end;
  }
}

}  // namespace gnn
