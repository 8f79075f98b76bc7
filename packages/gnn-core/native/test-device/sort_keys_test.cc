#include <algorithm>
#include <numeric>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/math/sort_keys.h"

namespace check {

DEVICE_TEST("sort_keys has the keys in order, equal ones as they came, by one, two and four rounds of digits") {
  for (const int64_t count : {0, 1, 255, 256, 1000}) {
    for (const int32_t bound : {1, 5, 256, 257, 5000, 2147483647}) {
      Stream stream;
      const std::vector<int32_t> keys = random_ints(count, bound, 1);
      const OnDevice<int32_t> from(stream, keys), sorted(stream, count), order(stream, count);
      gnn::cuda::sort_keys(stream, count, from, bound, {sorted, order});
      std::vector<int32_t> expected(keys.size()), keys_expected(keys.size());
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(expected.begin(), expected.end(), [&](int32_t a, int32_t b) { return keys[a] < keys[b]; });
      for (size_t i = 0; i < keys.size(); ++i) keys_expected[i] = keys[expected[i]];
      const std::string name = std::to_string(count) + " keys below " + std::to_string(bound);
      expect_equal(order.read(), expected, "order of " + name);
      expect_equal(sorted.read(), keys_expected, name);
    }
  }
}

}  // namespace check
