#pragma once
#include <cstdint>

namespace gnn {

// The rank of targets among all candidates of their query by s = Q transpose(C), from 1, equal scores at their mean
// place: 1 + #above + #level / 2, others than the target alone counted. A score that is no number stands above all.
// At most `rows_at_once` rows of scores are there at a time.
struct RankTargets {
  int64_t num_queries;
  int64_t num_candidates;
  int64_t dim;
  int64_t rows_at_once;
  const float* queries;        // [num_queries, dim]
  const float* candidates;     // [num_candidates, dim]
  const int32_t* starts;       // [num_queries + 1] into targets
  const int32_t* targets;      // candidates that are ranked
  const int32_t* left_starts;  // [num_queries + 1] into left_out
  const int32_t* left_out;     // candidates that do not count for the query, each once; a target counts all the same
  float* ranks;                // as many as targets
};

// The bits do not depend on the number of threads, nor on rows_at_once.
void rank_targets(const RankTargets& op);

}  // namespace gnn
