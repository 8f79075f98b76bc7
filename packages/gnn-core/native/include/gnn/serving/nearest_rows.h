#pragma once
// The nearest of many stored rows to some queries, found exactly.
#include <cstdint>
#include <vector>

namespace gnn {

enum class Metric {
  cosine,  // x q / (|x| |q|); 0 where one of them is 0
  dot,     // x q
  l2,      // -|x - q|^2
};

struct NearestRows {
  const float* rows;      // [num_rows, dim]
  const float* norms;     // [num_rows], row_norms of rows
  int64_t num_rows;
  int64_t dim;
  const float* queries;   // [num_queries, dim], finite
  int64_t num_queries;
  Metric metric;
  int32_t k;
  // Where not null, query i is answered with rows of the group wanted[i] alone; -1 stands for all of them.
  const int32_t* group_of = nullptr;  // [num_rows]
  const int32_t* wanted = nullptr;    // [num_queries]
};

// Query after query, the best row first; queries that have fewer rows than k have all they have.
struct FoundRows {
  std::vector<int32_t> counts;  // [num_queries]
  std::vector<int32_t> rows;
  std::vector<double> scores;   // by the metric, the higher the nearer
};

// Scores are sums in double precision, term after term; of equal ones the row with the lower number comes first. That
// is the order of a brute-force search in double precision, whatever the threads, the instruction set and the queries
// beside it: products in single precision, over blocks of rows, only tell which rows cannot be among the k. Rows that
// hold a NaN are never found. Memory: about 2 MiB per thread.
FoundRows nearest_rows(const NearestRows& search);

// |row| of each row, on the pool.
std::vector<float> row_norms(const float* rows, int64_t num_rows, int64_t dim);

}  // namespace gnn
