#pragma once
// Messages between row services, each one part, sealed where the job has a secret (tls_channel.h). The one who connects
// sends kHello, or begins the handshake of its channel, and asks nothing before that is answered.
//
// A request is RequestHeader, table name, ids, rows; no rows for kGet. A reply is ReplyHeader, rows | text. Of lists, a
// request is RequestHeader, table name, ids, DrawHeader, and a reply ReplyHeader, lists | text: number of lists as
// int64, their counts, entries, values if they have any; perhaps of the first ids only, at least one. Little-endian:
// both processor kinds that we run on are.
#include <cstdint>
#include <string>

#include "gnn/rows/list_table.h"
#include "gnn/rows/row_schema.h"

namespace gnn {

constexpr uint32_t kRowMagic = 0x33525748;  // "HWR3"
constexpr uint32_t kHello = kRowMagic;
// Larger calls are cut, so that a deadline and a heartbeat mean something, and so that a message is still in the
// processor's cache when the next one touches it.
constexpr int64_t kChunkBytes = int64_t{1} << 18;
// One row of the greatest width with its id still fits.
constexpr int64_t kMaxMessageBytes = kMaxRowBytes + kChunkBytes;

struct RequestHeader {
  uint32_t magic;
  RowOp op;
  uint64_t id;
  uint64_t sequence;
  uint32_t rank;  // who asks
  RowDtype dtype;
  uint64_t count;      // ids
  uint64_t row_bytes;  // as the asker believes
  uint64_t num_rows;   // of the whole table, as the asker believes
  uint64_t name_bytes;
};

struct DrawHeader {
  int32_t fanout;
  uint32_t replace;
  uint64_t stream;
  int64_t relation;  // negative: whole lists
};

enum class ReplyStatus : uint32_t { kOk = 0, kRefused = 1 };

struct ReplyHeader {
  uint32_t magic;
  ReplyStatus status;
  uint64_t id;
};

// Entries of a reply; a single list may have more, up to the longest.
inline int64_t entries_per_reply(const ListTable& lists) { return kChunkBytes / lists.entry_bytes(); }
inline int64_t longest_list(const ListTable& lists) { return kMaxRowBytes / lists.entry_bytes(); }
constexpr int64_t kMaxListsPerRequest = kChunkBytes / static_cast<int64_t>(sizeof(int32_t));

// As many as fill a reply; whole lists are guessed to be short, and asked for again where they are not.
inline int64_t lists_per_chunk(const ListTable& lists, const ListDraw& draw) {
  const int64_t entries = draw.fanout < 0 ? 16 : draw.fanout;
  return kChunkBytes / (entries * lists.entry_bytes() + 2 * static_cast<int64_t>(sizeof(int32_t)));
}

inline int64_t rows_per_chunk(const RowSchema& schema) {
  const int64_t rows = kChunkBytes / (schema.row_bytes() + static_cast<int64_t>(sizeof(int32_t)));
  return rows < 1 ? 1 : rows;
}

}  // namespace gnn
