#pragma once
#include <cstdint>

namespace gnn {

enum class KvsAllKind { softmax = 0, binary = 1 };

// The loss of queries against all candidates by the scores s = Q transpose(C), and its gradient by both, without the
// matrix of scores: at most 192 of its rows are there at a time, and fewer where there are over 43,690 candidates.
//
// Query i has the targets T_i, which share 1 - smoothing evenly (softmax) or have it each (binary); `smoothing` is
// spread over all of its n_i candidates, so y_iv = [v in T_i] (1 - smoothing) / (|T_i| or 1) + smoothing / n_i:
//   softmax  loss = sum over i of log sum_v e^s_iv - sum_v y_iv s_iv
//   binary   loss = sum over i, v of log(1 + e^s_iv) - y_iv s_iv
// Where targets are no candidates, but rows of their own, one o_i for each query, and some candidates left out of a
// query's (candidates that many queries share, of which some are targets of it):
//   softmax  loss = sum over i of log(e^(q_i o_i) + sum over v not in left_i of e^s_iv) - q_i o_i
// Sums go through fixed tiles, so the bits do not depend on the number of threads.
struct KvsAll {
  KvsAllKind kind = KvsAllKind::softmax;
  float smoothing = 0;
  int64_t num_queries;
  int64_t num_candidates;
  int64_t dim;
  const float* queries;              // [num_queries, dim]
  const float* candidates;           // [num_candidates, dim]
  const int32_t* starts;             // [num_queries + 1] into targets, ascending; every query has some
  const int32_t* targets;            // candidates
  // [num_candidates], from 0: a query's candidates are those in the group of its first target. Null: all
  const int32_t* group_of = nullptr;
  int32_t num_groups = 1;
  // [num_queries, dim]: the targets' rows, in place of starts, targets, groups and smoothing. Null: they are candidates
  const float* own = nullptr;
  const int32_t* left_starts = nullptr;  // [num_queries + 1] into left
  const int32_t* left = nullptr;         // candidates, those of each query ascending
  float* d_own = nullptr;                // [num_queries, dim]
  float* d_queries;                  // [num_queries, dim]
  float* d_candidates;               // [num_candidates, dim]
};

// Returns the loss, and writes the gradients.
double k_vs_all(const KvsAll& op);

}  // namespace gnn
