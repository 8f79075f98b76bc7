#pragma once
// The draws of one batched call, from their owners' answers to the order in which the call named its lists.
#include <cstdint>
#include <vector>

#include "gnn/rows/list_table.h"
#include "gnn/rows/row_batch.h"

namespace gnn {

// Draws of plan.ids[begin, begin + lists.counts.size())
struct DrawnRange {
  int64_t begin;
  DrawnLists lists;
};

// @param ranges together all of plan.ids, in any order
DrawnLists in_call_order(const RowPlan& plan, const std::vector<DrawnRange>& ranges);

}  // namespace gnn
