#include "gnn/features/place_rows.h"

#include <algorithm>
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

CountedRows count_rows(const OwnRows& own, const int32_t* ids, int64_t count) {
  CountedRows counted{0, 0};
  const auto is_own = [&](int32_t id) {
    return static_cast<uint32_t>(id) - static_cast<uint32_t>(own.first) < static_cast<uint32_t>(own.count);
  };
  for (int64_t i = 0; i < count; ++i) counted.own += is_own(ids[i]);
  if (own.slots == nullptr) return counted;
  for (int64_t i = 0; i < count; ++i) counted.cached += !is_own(ids[i]) && own.slots[ids[i]] >= 0;
  return counted;
}

int64_t first_outside(int32_t num_rows, const int32_t* ids, int64_t count) {
  uint32_t largest = 0;  // negative ids are larger than any other
  for (int64_t i = 0; i < count; ++i) largest = std::max(largest, static_cast<uint32_t>(ids[i]));
  if (count == 0 || largest < static_cast<uint32_t>(num_rows)) return -1;
  return std::find_if(ids, ids + count,
                      [&](int32_t id) { return static_cast<uint32_t>(id) >= static_cast<uint32_t>(num_rows); }) - ids;
}

}  // namespace gnn
