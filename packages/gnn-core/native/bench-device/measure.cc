#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "gnn/error.h"
#include "gnn/sampling/counter_rng.h"

namespace bench {
namespace {

constexpr int kTimes = 5;
constexpr double kSecondsEach = 0.03;
constexpr int kMostRuns = 2000;

double seconds_of_runs(Stream& stream, const std::function<void()>& enqueue, int runs) {
  stream.synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < runs; ++i) enqueue();
  stream.synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs;
}

const char* name_of(Bound bound) {
  switch (bound) {
    case Bound::kCopy: return "copy";
    case Bound::kRandomRows: return "randomRows";
    case Bound::kProducts: return "products";
    default: return "none";
  }
}

const char* unit_of(Bound bound) {
  return bound == Bound::kProducts ? "Gflop/s" : bound == Bound::kNone ? "Gedge/s" : "GB/s";
}

// Texts of our errors have neither quotes nor line breaks that JSON would mind, but those of drivers may.
std::string quoted(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '"' || c == '\\' || c < ' '; }, '\'');
  return "\"" + text + "\"";
}

}  // namespace

bool& is_small() {
  static bool small = false;
  return small;
}

int& failures() {
  static int count = 0;
  return count;
}

double seconds_of(Stream& stream, const std::function<void()>& enqueue) {
  const double first = seconds_of_runs(stream, enqueue, 1);
  if (is_small()) return first;
  const double warm = seconds_of_runs(stream, enqueue, 3);
  const int runs = std::clamp(static_cast<int>(kSecondsEach / std::max(warm, 1e-7)), 1, kMostRuns);
  std::vector<double> times;
  for (int i = 0; i < kTimes; ++i) times.push_back(seconds_of_runs(stream, enqueue, runs));
  std::nth_element(times.begin(), times.begin() + kTimes / 2, times.end());
  return times[kTimes / 2];
}

void report(Stream& stream, const Measure& measure) {
  const std::string name = quoted(measure.name);
  try {
    const double seconds = seconds_of(stream, measure.enqueue);
    std::printf("{\"name\":%s,\"bound\":\"%s\",\"milliseconds\":%.4g,\"rate\":%.4g,\"unit\":\"%s\"}\n", name.c_str(),
                name_of(measure.bound), seconds * 1e3, measure.work / seconds * 1e-9, unit_of(measure.bound));
  } catch (const gnn::Error& error) {
    ++failures();
    std::printf("{\"name\":%s,\"error\":%s}\n", name.c_str(), quoted(error.what()).c_str());
  }
  std::fflush(stdout);
}

Array<float> random_floats(Stream& stream, int64_t count) {
  gnn::NodeRng random(1, static_cast<int32_t>(count));
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(2 * random.uniform() - 1);
  return uploaded(stream, values);
}

Array<int32_t> random_ids(Stream& stream, int64_t count, int64_t below) {
  gnn::NodeRng random(2, static_cast<int32_t>(count));
  std::vector<int32_t> ids(static_cast<size_t>(count));
  for (int32_t& id : ids) id = static_cast<int32_t>(random.below(below));
  return uploaded(stream, ids);
}

}  // namespace bench
