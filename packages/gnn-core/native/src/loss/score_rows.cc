#include "score_rows.h"

#include <algorithm>
#include <cstring>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/lanes.h"

namespace gnn {
namespace {

// log(1 + e^-|x|) for z = e^-|x| in [0, 1]: 2 artanh(t), t = z / (2 + z) up to 1/3
GNN_INLINE Floats log1p_lanes(const Floats& z) {
  const Floats t = z / (z + 2.0f);
  const Floats u = t * t;
  Floats p = u * (1.0f / 13) + 1.0f / 11;
  p = p * u + 1.0f / 9;
  p = p * u + 1.0f / 7;
  p = p * u + 1.0f / 5;
  p = p * u + 1.0f / 3;
  return (p * u + 1.0f) * t * 2.0f;
}

struct Logistic {
  Floats sigmoid;
  Floats softplus;
};
GNN_INLINE Logistic logistic_lanes(const Floats& x) {
  const Ints sign = (Ints)x & static_cast<int32_t>(0x80000000);
  const Floats z = exp_lanes((Floats)((Ints)x | static_cast<int32_t>(0x80000000)));
  const Ints is_positive = sign == 0;
  const Floats of_positive = 1.0f / (z + 1.0f);
  const Floats sigmoid = (Floats)(((Ints)of_positive & is_positive) | ((Ints)(z * of_positive) & ~is_positive));
  return {sigmoid, (Floats)((Ints)x & is_positive) + log1p_lanes(z)};
}

}  // namespace

GNN_MULTIVERSION float highest_of(const float* x, int64_t count) {
  float highest = kNoCandidate;
  for (int64_t i = 0; i < count; ++i) highest = x[i] > highest ? x[i] : highest;
  return highest;
}

GNN_MULTIVERSION float exponentials(float* x, int64_t count, float highest) {
  Floats sums{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats e = exp_lanes(load_lanes(x + i) - highest);
    sums += e;
    store_lanes(e, x + i);
  }
  if (i < count) {
    float rest[kLanes];
    std::fill(rest, rest + kLanes, kNoCandidate);
    std::memcpy(rest, x + i, static_cast<size_t>(count - i) * sizeof(float));
    const Floats e = exp_lanes(load_lanes(rest) - highest);
    sums += e;
    store_lanes(e, rest);
    std::memcpy(x + i, rest, static_cast<size_t>(count - i) * sizeof(float));
  }
  return sum_lanes(sums);
}

GNN_MULTIVERSION float logistics(float* x, int64_t count) {
  Floats sums{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Logistic y = logistic_lanes(load_lanes(x + i));
    sums += y.softplus;
    store_lanes(y.sigmoid, x + i);
  }
  if (i < count) {
    float rest[kLanes];
    std::fill(rest, rest + kLanes, kNoCandidate);
    std::memcpy(rest, x + i, static_cast<size_t>(count - i) * sizeof(float));
    const Logistic y = logistic_lanes(load_lanes(rest));
    sums += y.softplus;
    store_lanes(y.sigmoid, rest);
    std::memcpy(x + i, rest, static_cast<size_t>(count - i) * sizeof(float));
  }
  return sum_lanes(sums);
}

}  // namespace gnn
