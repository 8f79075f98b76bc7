#include "gnn/sampling/pick.h"

#include <algorithm>
#include <unordered_set>

namespace gnn {
namespace {

constexpr int64_t kLinearSearchLimit = 64;

// Floyd's algorithm (Bentley, Floyd 1987): `count` of `degree` without replacement in `count` draws.
void floyd_small(int64_t degree, int64_t count, NodeRng& rng, std::vector<int64_t>& out) {
  for (int64_t j = degree - count; j < degree; ++j) {
    const int64_t drawn = rng.below(j + 1);
    const bool taken = std::find(out.begin(), out.end(), drawn) != out.end();
    out.push_back(taken ? j : drawn);
  }
}

void floyd_large(int64_t degree, int64_t count, NodeRng& rng, std::vector<int64_t>& out) {
  std::unordered_set<int64_t> taken(static_cast<size_t>(count) * 2);
  for (int64_t j = degree - count; j < degree; ++j) {
    const int64_t drawn = rng.below(j + 1);
    out.push_back(taken.insert(drawn).second ? drawn : (taken.insert(j), j));
  }
}

void insertion_sort(std::vector<int64_t>& values) {
  for (size_t i = 1; i < values.size(); ++i) {
    const int64_t value = values[i];
    size_t at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

}  // namespace

void pick_positions(int64_t degree, int64_t count, bool all, bool replace, NodeRng rng, std::vector<int64_t>& out) {
  out.clear();
  if (all || (!replace && count == degree)) {
    for (int64_t i = 0; i < degree; ++i) out.push_back(i);
    return;
  }
  if (replace) {
    for (int64_t i = 0; i < count; ++i) out.push_back(rng.below(degree));
  } else if (count <= kLinearSearchLimit) {
    floyd_small(degree, count, rng, out);
  } else {
    floyd_large(degree, count, rng, out);
  }
  if (count <= kLinearSearchLimit) insertion_sort(out);
  else std::sort(out.begin(), out.end());
}

}  // namespace gnn
