#include "gnn/ingest/integer_table.h"

#include "integer_slots.h"

namespace gnn {
namespace {

constexpr int64_t kAhead = 16;  // rows whose slots are prefetched

// The finalizer of MurmurHash3.
uint32_t mix(uint32_t hash) {
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

// Both halves of the number, each mixed with its half of the salt, as integer-table.ts does.
uint32_t hash_of(const IntegerTable& table, int64_t key) {
  const auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  return mix(mix(low ^ static_cast<uint32_t>(table.salt[0])) ^ high ^ static_cast<uint32_t>(table.salt[1]));
}

bool is_direct(const IntegerTable& table, int64_t key) { return key >= 0 && key < table.direct_size; }

}  // namespace

void prefetch(const IntegerTable& table, double key) {
  const auto number = static_cast<int64_t>(key);
  if (is_direct(table, number)) {
    __builtin_prefetch(table.direct + number);
    return;
  }
  const int64_t at = hash_of(table, number) & (table.num_slots - 1);
  __builtin_prefetch(table.slots + at);
  __builtin_prefetch(table.keys + at);
}

int32_t& slot_of(const IntegerTable& table, double key) {
  const auto number = static_cast<int64_t>(key);
  const bool direct = is_direct(table, number);
  if (direct && table.direct[number] != 0) return table.direct[number];
  const int64_t mask = table.num_slots - 1;
  int64_t at = hash_of(table, number) & mask;
  while (table.slots[at] != 0 && table.keys[at] != key) at = (at + 1) & mask;
  if (table.slots[at] == 0 && direct) return table.direct[number];
  table.keys[at] = key;
  return table.slots[at];
}

std::vector<double> relabel_pairs(const RelabelPairs& op) {
  const auto& [table, src, dst, rows, add, first_added, src_out, dst_out] = op;
  int32_t next = first_added;
  std::vector<double> added;
  const auto position_of = [&](double key) {
    int32_t& slot = slot_of(table, key);
    if (slot == 0 && add) {
      slot = ++next;
      added.push_back(key);
    }
    return slot - 1;
  };
  for (int64_t row = 0; row < rows; ++row) {
    if (row + kAhead < rows) {
      prefetch(table, src[row + kAhead]);
      prefetch(table, dst[row + kAhead]);
    }
    src_out[row] = position_of(src[row]);
    dst_out[row] = position_of(dst[row]);
  }
  return added;
}

}  // namespace gnn
