// Stored forms of features and what is read from them.
#include <cmath>
#include <cstring>

#include "check.h"
#include "gnn/features/feature_view.h"
#include "gnn/features/place_rows.h"
#include "gnn/features/transform_rows.h"

using test::expect, test::expect_near, test::Random;

TEST("every binary16 code decodes to its value, and every finite one encodes back") {
  for (int code = 0; code < 65536; ++code) {
    const auto half = static_cast<uint16_t>(code);
    const int exponent = code >> 10 & 31, fraction = code & 1023;
    const double sign = code >> 15 ? -1 : 1;
    const double value = exponent == 0    ? std::ldexp(fraction, -24)
                         : exponent == 31 ? (fraction == 0 ? HUGE_VAL : NAN)
                                          : std::ldexp(1024 + fraction, exponent - 25);
    float decoded;
    gnn::decode_half(&half, 1, &decoded);
    if (std::isnan(value)) {
      expect(std::isnan(decoded), "a NaN became a number");
      continue;
    }
    expect(decoded == sign * value && std::signbit(decoded) == (code >> 15 != 0), "code " + std::to_string(code));
    uint16_t back;
    const int64_t bad = gnn::encode_half(&decoded, 1, &back);
    expect(std::isinf(value) ? bad == 0 : bad == -1 && back == half,
           "code " + std::to_string(code) + " comes back as another");
  }
}

TEST("int8 codes are within half a step of the value, and a value between two goes to the nearest") {
  Random random(1);
  const int64_t rows = 200, dim = 33;
  const auto values = random.numbers(rows * dim);
  std::vector<float> low(static_cast<size_t>(dim), 1e9f), high(static_cast<size_t>(dim), -1e9f), scale,
      decoded(values.size());
  expect(gnn::widen_ranges(values.data(), rows, dim, low.data(), high.data()) == -1, "a finite value was refused");
  for (int64_t d = 0; d < dim; ++d) scale.push_back((high[d] - low[d]) / 255);
  const gnn::ColumnScale columns{scale.data(), low.data()};
  std::vector<int8_t> codes(values.size());
  gnn::encode_int8(values.data(), rows, dim, columns, codes.data());
  for (int64_t row = 0; row < rows; ++row) gnn::decode_int8(&codes[row * dim], dim, columns, &decoded[row * dim]);
  for (size_t i = 0; i < values.size(); ++i) {
    expect(std::fabs(decoded[i] - values[i]) <= 0.5001f * scale[i % dim], "a value is off by more than half a step");
  }
  float sick = NAN;
  expect(gnn::widen_ranges(&sick, 1, 1, low.data(), high.data()) == 0, "NaN was taken");
}

TEST("rows are gathered across segments, dense and sparse, and none from outside") {
  Random random(2);
  const int64_t dim = 6;
  const auto first = random.numbers(20 * dim), second = random.numbers(30 * dim);
  const gnn::FeatureView dense{50, dim, gnn::FeatureDtype::float32, {}, {{0, first.data()}, {20, second.data()}}, {}};
  const std::vector<int32_t> ids{49, 0, 20, 19, 20};
  std::vector<float> expected;
  for (const int32_t id : ids) {
    const float* row = id < 20 ? &first[id * dim] : &second[(id - 20) * dim];
    expected.insert(expected.end(), row, row + dim);
  }
  test::expect_equal(gnn::gather_dense(dense, ids), expected, "dense rows");
  for (const int32_t outside : {-1, 50}) {
    expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::gather_dense(dense, {outside}); }), "a row outside was taken");
  }
  const int64_t indptr[4] = {0, 2, 2, 3};
  const int32_t columns[3] = {1, 5, 0};
  const float values[3] = {1.5f, 2.5f, 3.5f};
  gnn::FeatureView sparse{3, dim, gnn::FeatureDtype::float32, {}, {}, {{0, indptr, columns, values, 3, 3}}};
  const gnn::CsrRows rows = gnn::gather_csr(sparse, {2, 1, 0});
  test::expect_equal(rows.indptr, std::vector<int32_t>{0, 1, 1, 3}, "indptr");
  test::expect_equal(rows.indices, std::vector<int32_t>{0, 1, 5}, "indices");
  test::expect_equal(rows.values, std::vector<float>{3.5f, 1.5f, 2.5f}, "values");
  sparse.csr[0].num_values = 2;
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::gather_csr(sparse, {2}); }), "offsets past the values were taken");
}

TEST("rows are normalised to absolute values that add up to 1, and standardised by column") {
  Random random(3);
  const int64_t rows = 9, dim = 13;
  const auto x = random.numbers(rows * dim), mean = random.numbers(dim);
  std::vector<float> normal = x, standard = x, scale(static_cast<size_t>(dim), 0.25f);
  std::vector<double> sums(static_cast<size_t>(rows)), en, es;
  for (size_t i = 0; i < x.size(); ++i) sums[i / dim] += std::fabs(x[i]);
  for (size_t i = 0; i < x.size(); ++i) en.push_back(x[i] / sums[i / dim]);
  for (size_t i = 0; i < x.size(); ++i) es.push_back((double{x[i]} - mean[i % dim]) / 0.25);
  gnn::row_normalize({rows, dim, nullptr, nullptr, normal.data()});
  gnn::standardize({rows, dim, nullptr, nullptr, standard.data()}, mean.data(), scale.data());
  expect_near(normal, en, 1e-6, "normalised");
  expect_near(standard, es, 1e-6, "standardised");
}

TEST("a rank's rows come before the cached ones, and these before what it fetches") {
  const std::vector<int32_t> slots{-1, 0, -1, -1, -1, -1, 1, -1};  // nodes 1 and 6 are cached
  const gnn::OwnRows own{2, 3, slots.data(), 2, 8};
  const std::vector<int32_t> ids{4, 6, 0, 1, 7, 2, 0};
  const gnn::PlacedRows placed = gnn::place_rows(own, ids.data(), static_cast<int64_t>(ids.size()));
  test::expect_equal(placed.rows, std::vector<int32_t>{2, 4, 5, 3, 6, 0, 7}, "rows");
  test::expect_equal(placed.remote, std::vector<int32_t>{0, 7, 0}, "remote");
  const int32_t outside = 8;
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::place_rows(own, &outside, 1); }), "an id outside was taken");
}

TEST("rows of a range, cached ones and the first from outside are counted as one by one") {
  Random random(11);
  std::vector<int32_t> ids, slots(90, -1);
  for (int i = 0; i < 500; ++i) ids.push_back(static_cast<int32_t>(random.below(90)));
  for (int32_t id = 0; id < 90; id += 4) slots[id] = id / 4;
  int64_t own = 0, cached = 0;
  for (const int32_t id : ids) {
    if (id >= 20 && id < 50) ++own;
    else if (id % 4 == 0) ++cached;
  }
  const auto count = static_cast<int64_t>(ids.size());
  const gnn::CountedRows counted = gnn::count_rows({20, 30, slots.data(), 23, 90}, ids.data(), count);
  expect(counted.own == own && counted.cached == cached, "rows were miscounted");
  const gnn::CountedRows uncached = gnn::count_rows({20, 30, nullptr, 0, 90}, ids.data(), count);
  expect(uncached.own == own && uncached.cached == 0, "rows without a cache were miscounted");
  expect(gnn::first_outside(90, ids.data(), count) == -1, "an id of the range was called one from outside");
  for (const int32_t outside : {-1, 90}) {
    std::vector<int32_t> some = ids;
    some[123] = some[321] = outside;
    expect(gnn::first_outside(90, some.data(), count) == 123, "the first id from outside was not found");
  }
  expect(gnn::first_outside(0, nullptr, 0) == -1, "no ids were called some from outside");
}
