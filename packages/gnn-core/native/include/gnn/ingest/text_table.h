#pragma once
// A table from texts to positions, and the texts in the order in which they were added.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gnn/ingest/integer_table.h"

namespace gnn {

// Takes some 20 bytes a text beside the text itself. The hash is keyed at random (SipHash), so that no file can be made
// whose texts all meet in one slot; positions do not depend on the key.
class TextTable {
 public:
  TextTable();

  int64_t size() const { return static_cast<int64_t>(positions_.size()); }
  // Whether every text is how an int64 prints.
  bool is_int64() const { return is_int64_; }
  // Position of the text, or -1.
  int32_t find(std::string_view text) const { return find(text, hash_of(text)); }
  // Adds a text that is not there yet.
  void add(std::string_view text, int32_t position) { add(text, position, hash_of(text)); }
  // The text that was added as number `i`.
  std::string_view text(int64_t i) const;

  uint64_t hash_of(std::string_view text) const;
  int32_t find(std::string_view text, uint64_t hash) const;
  void add(std::string_view text, int32_t position, uint64_t hash);
  void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

 private:
  // `number` + 1 of the text, 0 = free; `tag` is the hash's upper half, so that few texts are compared in vain.
  struct Slot {
    uint32_t number;
    uint32_t tag;
  };

  void place(Slot slot, uint64_t hash_bits);
  void grow();

  std::array<uint64_t, 2> key_;
  std::vector<char> bytes_;
  std::vector<uint64_t> ends_;
  std::vector<int32_t> positions_;
  std::vector<Slot> slots_;
  bool is_int64_ = true;
};

// Positions of both ends of each row, whose ids are texts; those that are short canonical decimals are looked up as
// the numbers they name.
struct RelabelTexts {
  IntegerTable integers;    // with room for 2 * rows keys where some are added
  TextTable& texts;
  const char* bytes;
  const uint32_t* offsets;  // [2 * rows + 1], src before dst of each row
  int64_t rows;
  bool add;                 // an id that is not there gets the next position from `next` on
  int32_t next;
  int32_t* src_out;         // [rows]; -1 for an id that is not there
  int32_t* dst_out;         // [rows]
};
// Returns the new ids in that order: the number, or NaN for one that is kept as text.
std::vector<double> relabel_texts(const RelabelTexts& op);

}  // namespace gnn
