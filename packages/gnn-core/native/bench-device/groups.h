#pragma once
// Groups of measures, each a file of its own.
#include <string>

#include "measure.h"

namespace bench {

void report_ceilings(Stream& stream);
void report_edge_kernels(Stream& stream);
void report_row_kernels(Stream& stream);
// What typed graphs, sparse features and learned rows take
void report_typed_kernels(Stream& stream);
// Losses that compare queries with many candidates
void report_loss_kernels(Stream& stream);
// Samples the blocks of an epoch over the graph of a folder, as script/generate --format arrays writes one.
void report_epoch_sampling(Stream& stream, const std::string& graph_dir);

}  // namespace bench
