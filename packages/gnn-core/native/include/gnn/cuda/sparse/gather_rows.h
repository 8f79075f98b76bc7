#pragma once
#include "gnn/device/stream.h"
#include "gnn/sparse/gather_rows.h"

namespace gnn::cuda {

using device::Stream;

// out[i] = x[rows[i]] for num_rows rows of `dim`.
void gather_rows(Stream& stream, int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out);

// out[rows[i]] = x[i] for distinct rows
void put_rows(Stream& stream, int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out);

// In one order, always the same bits: into many rows by sorting what is added by its row, which has the CPU's bits, and
// into few rows, of which each is named often, by parts of the list that are added up in their order.
void scatter_add_rows(Stream& stream, const ScatterAddRows& op);
// Does without either: by atomics, so that rows that are named more than twice are added in any order.
void scatter_add_rows_atomic(Stream& stream, const ScatterAddRows& op);

}  // namespace gnn::cuda
