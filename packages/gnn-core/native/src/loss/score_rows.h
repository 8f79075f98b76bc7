#pragma once
// What losses over many candidates do with a row of scores, in lanes.
#include <cstdint>
#include <limits>

namespace gnn {

// A score that takes no part: its exponential and its logistic function are 0.
inline constexpr float kNoCandidate = -std::numeric_limits<float>::infinity();

float highest_of(const float* x, int64_t count);

// The scores' exponentials, less `highest`, in their place. Returns their sum.
float exponentials(float* x, int64_t count, float highest);

// The scores' logistic functions in their place. Returns the sum of log(1 + e^x).
float logistics(float* x, int64_t count);

}  // namespace gnn
