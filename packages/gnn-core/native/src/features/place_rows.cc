#include "gnn/features/place_rows.h"

#include <string>

#include "gnn/error.h"

namespace gnn {

PlacedRows place_rows(const OwnRows& own, const int32_t* ids, int64_t count) {
  PlacedRows placed;
  placed.rows.reserve(count);
  const int32_t first_remote = own.count + own.num_cached;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t id = ids[i];
    if (static_cast<uint32_t>(id) >= static_cast<uint32_t>(own.num_rows)) {
      throw Error("SHAPE_MISMATCH", "Row " + std::to_string(id) + " is not among the " + std::to_string(own.num_rows) +
                                        " feature rows.");
    }
    const int32_t offset = id - own.first;
    if (offset >= 0 && offset < own.count) {
      placed.rows.push_back(offset);
    } else if (own.slots && own.slots[id] >= 0) {
      placed.rows.push_back(own.count + own.slots[id]);
    } else {
      placed.rows.push_back(first_remote + static_cast<int32_t>(placed.remote.size()));
      placed.remote.push_back(id);
    }
  }
  return placed;
}

}  // namespace gnn
