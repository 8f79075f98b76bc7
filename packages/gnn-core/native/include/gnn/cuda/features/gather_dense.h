#pragma once
#include <cstdint>

#include "gnn/device/stream.h"
#include "gnn/features/value_codes.h"
#include "gnn/nn/dropout.h"

namespace gnn::cuda {

using device::Stream;

// Consecutive rows in memory of the host or of a device, up to where the next ones begin.
struct RowsAt {
  int64_t first_row;
  const void* values;  // of the host: by the device's address of pinned or registered memory
};

// A dense matrix whose rows lie in memory of the device, with the host, some here and some there, or in shares with the
// devices of several processes.
struct FeatureView {
  int64_t num_rows;
  int64_t dim;
  FeatureDtype dtype;
  // Rows of the dtype on the device: all of them, or those that have a slot.
  const void* values;
  ColumnScale columns;  // of the device; null unless int8
  // On the device, [num_rows]: where in `values` a row lies, -1: elsewhere. Null: none of them is in `values` if
  // `elsewhere` is given, else all are, each at its own place.
  const int32_t* slots = nullptr;
  // On the device, ascending by first_row; null: all rows are in `values`.
  const RowsAt* elsewhere = nullptr;
  int64_t num_elsewhere = 0;
  // Whether those are shares of devices, this one's own among them; else the host has them.
  bool are_shares = false;
};

// Which elements of gathered rows are dropped, as dropout_rows() does by the rows' ids; threshold 0: none.
struct GatherDropout {
  DropoutKey key{};
  uint32_t threshold = 0;
};

// out [count, dim] = rows ids[i], each below num_rows, as float32. The CPU's bits, wherever the rows lie.
void gather_dense(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, float* out,
                  const GatherDropout& dropout = {});

// out [count, dim] of the matrix's dtype = rows ids[i] as they are stored.
void copy_stored_rows(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, void* out);

}  // namespace gnn::cuda
