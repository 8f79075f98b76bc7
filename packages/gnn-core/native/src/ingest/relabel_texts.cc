#include <limits>

#include "gnn/ingest/text_table.h"
#include "integer_slots.h"
#include "scan_values.h"

namespace gnn {
namespace {

constexpr int64_t kAhead = 16;  // ids whose slots are prefetched

// An id of the batch: the number it names, or the hash of its text.
struct Key {
  double number;
  uint64_t hash;
  bool is_text;
};

std::string_view text_of(const RelabelTexts& op, int64_t i) {
  return {op.bytes + op.offsets[i], op.offsets[i + 1] - op.offsets[i]};
}

Key key_of(const RelabelTexts& op, int64_t i) {
  const std::string_view text = text_of(op, i);
  Key key{};
  key.is_text = !parse_id(text, key.number);
  if (key.is_text) {
    key.hash = op.texts.hash_of(text);
    op.texts.prefetch(key.hash);
  } else {
    prefetch(op.integers, key.number);
  }
  return key;
}

}  // namespace

std::vector<double> relabel_texts(const RelabelTexts& op) {
  int32_t next = op.next;
  std::vector<double> added;
  const auto position_of_text = [&](int64_t i, uint64_t hash) {
    const std::string_view text = text_of(op, i);
    const int32_t found = op.texts.find(text, hash);
    if (found >= 0 || !op.add) return found;
    op.texts.add(text, next, hash);
    added.push_back(std::numeric_limits<double>::quiet_NaN());
    return next++;
  };
  const auto position_of_number = [&](double number) {
    int32_t& slot = slot_of(op.integers, number);
    if (slot == 0 && op.add) {
      slot = ++next;
      added.push_back(number);
    }
    return slot - 1;
  };
  Key ahead[kAhead];
  const int64_t ids = 2 * op.rows;
  for (int64_t i = 0; i < ids && i < kAhead; ++i) ahead[i] = key_of(op, i);
  for (int64_t i = 0; i < ids; ++i) {
    const Key key = ahead[i % kAhead];
    if (i + kAhead < ids) ahead[i % kAhead] = key_of(op, i + kAhead);
    int32_t* const out = i % 2 == 0 ? op.src_out : op.dst_out;
    out[i / 2] = key.is_text ? position_of_text(i, key.hash) : position_of_number(key.number);
  }
  return added;
}

}  // namespace gnn
