#pragma once
// How keys find their slots in an IntegerTable.
#include "gnn/ingest/integer_table.h"

namespace gnn {

// The slot of the key, or the free one where it belongs, with the key written beside it.
int32_t& slot_of(const IntegerTable& table, double key);

// Brings that slot into the caches.
void prefetch(const IntegerTable& table, double key);

}  // namespace gnn
