#pragma once
// Messages between row services. A request is [RequestHeader][table name][ids][rows]; rows are empty for kGet. A reply
// is [ReplyHeader][rows | message]. Little-endian: both processor kinds that we run on are.
#include <cstdint>
#include <string>

#include "gnn/rows/row_schema.h"

namespace gnn {

constexpr uint32_t kRowMagic = 0x31525748;  // "HWR1"
// Larger calls are cut, so that a deadline and a heartbeat mean something.
constexpr int64_t kChunkBytes = int64_t{1} << 20;
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
};

enum class ReplyStatus : uint32_t { kOk = 0, kRefused = 1 };

struct ReplyHeader {
  uint32_t magic;
  ReplyStatus status;
  uint64_t id;
};

inline int64_t rows_per_chunk(const RowSchema& schema) {
  const int64_t rows = kChunkBytes / (schema.row_bytes() + static_cast<int64_t>(sizeof(int32_t)));
  return rows < 1 ? 1 : rows;
}

}  // namespace gnn
