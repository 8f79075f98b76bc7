#include "gnn/ingest/text_table.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <random>

namespace gnn {
namespace {

constexpr size_t kFirstSlots = 1024;

uint64_t word_at(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// SipHash-1-3 (Aumasson and Bernstein 2012), as hash tables use it.
struct SipState {
  uint64_t a, b, c, d;

  explicit SipState(const std::array<uint64_t, 2>& key)
      : a(key[0] ^ 0x736f6d6570736575), b(key[1] ^ 0x646f72616e646f6d), c(key[0] ^ 0x6c7967656e657261),
        d(key[1] ^ 0x7465646279746573) {}

  void round() {
    a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
    c += d, d = std::rotl(d, 16) ^ c;
    a += d, d = std::rotl(d, 21) ^ a;
    c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
  }
  void take(uint64_t word) {
    d ^= word;
    round();
    a ^= word;
  }
};

// `7` and `-3`, but not `007`, `+7`, `-0` or 2^63.
bool is_canonical_int64(std::string_view text) {
  int64_t value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  const size_t first = text[0] == '-' ? 1 : 0;
  return text[first] != '0' || text.size() == 1;
}

}  // namespace

TextTable::TextTable() : slots_(kFirstSlots) {
  std::random_device random;
  for (uint64_t& half : key_) half = (static_cast<uint64_t>(random()) << 32) ^ random();
}

uint64_t TextTable::hash_of(std::string_view text) const {
  SipState state(key_);
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) state.take(word_at(text.data() + at));
  uint64_t last = static_cast<uint64_t>(text.size()) << 56;
  for (size_t i = 0; at + i < text.size(); ++i)
    last |= static_cast<uint64_t>(static_cast<uint8_t>(text[at + i])) << (8 * i);
  state.take(last);
  state.c ^= 0xff;
  for (int i = 0; i < 3; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

std::string_view TextTable::text(int64_t i) const {
  const uint64_t begin = i == 0 ? 0 : ends_[i - 1];
  return {bytes_.data() + begin, ends_[i] - begin};
}

int32_t TextTable::find(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const auto tag = static_cast<uint32_t>(hash >> 32);
  for (size_t at = hash & mask; slots_[at].number != 0; at = (at + 1) & mask) {
    const int64_t number = int64_t{slots_[at].number} - 1;
    if (slots_[at].tag == tag && this->text(number) == text) return positions_[number];
  }
  return -1;
}

void TextTable::add(std::string_view text, int32_t position, uint64_t hash) {
  if ((positions_.size() + 1) * 4 > slots_.size() * 3) grow();
  is_int64_ = is_int64_ && is_canonical_int64(text);
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  ends_.push_back(bytes_.size());
  positions_.push_back(position);
  place({static_cast<uint32_t>(positions_.size()), static_cast<uint32_t>(hash >> 32)}, hash);
}

void TextTable::place(Slot slot, uint64_t hash) {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].number != 0) at = (at + 1) & mask;
  slots_[at] = slot;
}

void TextTable::grow() {
  slots_ = std::vector<Slot>(slots_.size() * 2);
  for (int64_t i = 0; i < size(); ++i) {
    const uint64_t hash = hash_of(text(i));
    place({static_cast<uint32_t>(i + 1), static_cast<uint32_t>(hash >> 32)}, hash);
  }
}

}  // namespace gnn
