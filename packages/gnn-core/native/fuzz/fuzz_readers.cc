// Text and edges as users upload them: the scanners of ids, their tables, and the graph made of their rows.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>

#include "fuzz.h"
#include "gnn/error.h"
#include "gnn/graph/csc.h"
#include "gnn/ingest/integer_scanner.h"
#include "gnn/ingest/integer_table.h"
#include "gnn/ingest/text_scanner.h"
#include "gnn/ingest/text_table.h"

namespace {

using fuzz::expect;
using fuzz::Source;

std::string some_field(Source& source) {
  switch (source.below(10)) {
    case 0: return std::to_string(source.odd_integer());
    case 1: return "-" + std::to_string(source.below(1000));
    case 2: return std::to_string(source.uniform() * 1e3);
    case 3:
      return source.one_of<const char*>({"", "-", "007", "-0", "+1", "1e400", "1e-400", "nan", "inf", "0x10", ".5",
                                         "5.", "1e", "99999999999999999999", "\"a\"", "\"", "\xff", "1 2", "# x"});
    case 4: return std::string(source.between(1, 40), static_cast<char>('0' + source.below(10)));
    default: return std::to_string(source.below(5000));
  }
}

std::string some_text(Source& source, char delimiter, int64_t num_columns) {
  std::string text;
  for (int64_t line = source.between(0, 30); line > 0; --line) {
    const int64_t fields = source.chance(90) ? num_columns : source.between(0, 8);
    for (int64_t i = 0; i < fields; ++i) {
      // Damage is rare enough that most lines before it are taken.
      text += source.chance(97) ? std::to_string(source.below(100000)) : some_field(source);
      if (i + 1 < fields)
        text += delimiter == 0 ? source.one_of<const char*>({" ", "\t", "  "}) : std::string(1, delimiter);
    }
    text += source.one_of<const char*>({"\n", "\n", "\n", "\n", "\r\n", "\r", "", "\n\n"});
  }
  if (source.chance(5)) {
    std::vector<uint8_t> bytes(text.begin(), text.end());
    source.mutate(bytes);
    text.assign(bytes.begin(), bytes.end());
  }
  return text;
}

// Hands on the text in chunks that end at `cuts`, each in memory of its own so that a read beyond it is seen.
template <typename Push>
void push_chunks(const std::string& text, std::vector<int64_t> cuts, const Push& push) {
  cuts.push_back(static_cast<int64_t>(text.size()));
  int64_t begin = 0;
  for (size_t i = 0; i < cuts.size(); ++i) {
    const auto size = static_cast<size_t>(cuts[i] - begin);
    const auto chunk = std::make_unique<char[]>(size);
    std::copy_n(text.data() + begin, size, chunk.get());
    push(chunk.get(), size, i + 1 == cuts.size());
    begin = cuts[i];
  }
}

void add_numbers(const std::vector<std::vector<double>>& found, int64_t num_rows,
                 std::vector<std::vector<double>>& all) {
  for (size_t c = 0; c < all.size(); ++c) {
    expect(static_cast<int64_t>(found[c].size()) == num_rows, "a column of numbers is not as long as the rows");
    all[c].insert(all[c].end(), found[c].begin(), found[c].end());
  }
}

struct Taken {
  int64_t rows = 0;
  std::vector<std::vector<double>> ids, numbers;
  bool stopped = false;
};

Taken scan(const gnn::ScanOptions& options, const std::string& text, const std::vector<int64_t>& cuts) {
  gnn::IntegerScanner scanner(options);
  Taken taken;
  taken.ids.resize(options.ids.size());
  taken.numbers.resize(options.numbers.size());
  push_chunks(text, cuts, [&](const char* chunk, size_t size, bool is_last) {
    const gnn::ScannedRows rows = scanner.push(chunk, size, is_last);
    taken.rows += rows.num_rows;
    for (size_t c = 0; c < taken.ids.size(); ++c) {
      expect(static_cast<int64_t>(rows.ids[c].size()) == rows.num_rows, "a column of ids is not as long as the rows");
      taken.ids[c].insert(taken.ids[c].end(), rows.ids[c].begin(), rows.ids[c].end());
    }
    add_numbers(rows.numbers, rows.num_rows, taken.numbers);
  });
  taken.stopped = scanner.stopped();
  return taken;
}

struct TakenTexts {
  std::vector<std::string> ids;
  std::vector<std::vector<double>> numbers;
  std::vector<int64_t> odd;
  int64_t rows = 0;
  bool stopped = false;
};

TakenTexts scan_texts(const gnn::ScanOptions& options, const std::string& text, const std::vector<int64_t>& cuts) {
  gnn::TextScanner scanner(options);
  TakenTexts taken;
  taken.numbers.resize(options.numbers.size());
  push_chunks(text, cuts, [&](const char* chunk, size_t size, bool is_last) {
    const gnn::TextRows rows = scanner.push(chunk, size, is_last);
    expect(rows.ids.offsets.size() == rows.num_rows * options.ids.size() + 1, "a row has another number of ids");
    expect(rows.ids.offsets.back() == rows.ids.bytes.size(), "bytes belong to no id");
    for (size_t id = 1; id < rows.ids.offsets.size(); ++id) {
      expect(rows.ids.offsets[id] > rows.ids.offsets[id - 1], "an id is empty");
      taken.ids.emplace_back(rows.ids.bytes.begin() + rows.ids.offsets[id - 1],
                             rows.ids.bytes.begin() + rows.ids.offsets[id]);
    }
    for (const int32_t row : rows.odd) {
      expect(row >= 0 && row < rows.num_rows, "an odd row is not there");
      taken.odd.push_back(taken.rows + row);
    }
    add_numbers(rows.numbers, rows.num_rows, taken.numbers);
    taken.rows += rows.num_rows;
  });
  taken.stopped = scanner.stopped();
  return taken;
}

void scan_any_text(const gnn::ScanOptions& options, const std::string& text, const std::vector<int64_t>& cuts) {
  const TakenTexts whole = scan_texts(options, text, {}), cut = scan_texts(options, text, cuts);
  expect(whole.ids == cut.ids && whole.numbers == cut.numbers && whole.odd == cut.odd &&
             whole.stopped == cut.stopped,
         "the rows of texts depend on where the text is cut");
}

void scan_text(Source& source) {
  gnn::ScanOptions options{};
  options.delimiter = source.one_of<char>({0, ',', '\t', ';', '|'});
  options.comment = source.chance(50) ? '#' : '\0';
  options.header = source.chance(50);
  options.num_columns = static_cast<int>(source.between(1, 6));
  for (int64_t i = source.between(1, 3); i > 0; --i)
    options.ids.push_back(static_cast<int>(source.below(options.num_columns)));
  for (int64_t i = source.between(0, 2); i > 0; --i) {
    options.numbers.push_back(static_cast<int>(source.below(options.num_columns)));
  }
  const std::string text = some_text(source, options.delimiter, options.num_columns);
  std::vector<int64_t> cuts;
  for (int64_t i = source.between(1, 6); i > 0; --i)
    cuts.push_back(source.below(static_cast<int64_t>(text.size()) + 1));
  std::sort(cuts.begin(), cuts.end());
  scan_any_text(options, text, cuts);
  const Taken whole = scan(options, text, {}), cut = scan(options, text, cuts);
  expect(whole.rows == cut.rows && whole.ids == cut.ids && whole.numbers == cut.numbers && whole.stopped == cut.stopped,
         "the rows depend on where the text is cut");
  for (const auto& column : whole.ids) {
    for (const double id : column) expect(std::abs(id) < 1e15 && id == std::floor(id), "an id is no short integer");
  }
  for (const auto& column : whole.numbers) {
    for (const double number : column) expect(std::isfinite(static_cast<float>(number)), "a number is not finite");
  }
}

void relabel(Source& source) {
  const int64_t rows = source.between(0, 60), direct_size = source.one_of<int64_t>({0, 16, 128});
  std::vector<double> src(rows), dst(rows);
  for (double& key : src)
    key = static_cast<double>(source.chance(70) ? source.between(-20, 200) : source.odd_integer() % 999999999999999);
  for (double& key : dst) key = static_cast<double>(source.between(-20, 200));
  int64_t num_slots = 16;
  while (num_slots < 4 * rows + 4) num_slots *= 2;
  std::vector<int32_t> direct(direct_size), slots(num_slots), src_out(rows), dst_out(rows);
  std::vector<double> keys(num_slots);
  const bool add = source.chance(70);
  const auto added = gnn::relabel_pairs({.table = {direct.data(), direct_size, keys.data(), slots.data(), num_slots},
                                         .src = src.data(),
                                         .dst = dst.data(),
                                         .rows = rows,
                                         .add = add,
                                         .next = 0,
                                         .src_out = src_out.data(),
                                         .dst_out = dst_out.data()});
  std::unordered_map<double, int32_t> expected;
  const auto position = [&](double key) {
    if (!add) return -1;
    return expected.emplace(key, static_cast<int32_t>(expected.size())).first->second;
  };
  for (int64_t i = 0; i < rows; ++i) {
    const int32_t u = position(src[i]);
    expect(src_out[i] == u && dst_out[i] == position(dst[i]), "an id has another position");
  }
  expect(added.size() == expected.size(), "another number of ids was added");
}

void relabel_texts(Source& source) {
  const int64_t rows = source.between(0, 60);
  std::string bytes;
  std::vector<uint32_t> offsets{0};
  std::vector<std::string> ids;
  for (int64_t i = 0; i < 2 * rows; ++i) {
    ids.push_back(source.chance(50) ? std::to_string(source.between(-9, 30)) : some_field(source) + "x");
    bytes += ids.back();
    offsets.push_back(static_cast<uint32_t>(bytes.size()));
  }
  int64_t num_slots = 16;
  while (num_slots < 4 * rows + 4) num_slots *= 2;
  std::vector<int32_t> direct(16), slots(num_slots), src_out(rows), dst_out(rows);
  std::vector<double> keys(num_slots);
  const bool add = source.chance(70);
  gnn::TextTable texts;
  const auto added = gnn::relabel_texts({.integers = {direct.data(), 16, keys.data(), slots.data(), num_slots},
                                         .texts = texts,
                                         .bytes = bytes.data(),
                                         .offsets = offsets.data(),
                                         .rows = rows,
                                         .add = add,
                                         .next = 0,
                                         .src_out = src_out.data(),
                                         .dst_out = dst_out.data()});
  std::unordered_map<std::string, int32_t> expected;
  for (int64_t i = 0; i < 2 * rows; ++i) {
    const int32_t found = i % 2 == 0 ? src_out[i / 2] : dst_out[i / 2];
    const int32_t wanted = add ? expected.emplace(ids[i], static_cast<int32_t>(expected.size())).first->second : -1;
    expect(found == wanted, "a text has another position");
  }
  expect(added.size() == expected.size(), "another number of texts was added");
  for (int64_t i = 0; i < texts.size(); ++i) {
    expect(expected.contains(std::string(texts.text(i))), "a text has changed");
  }
}

void build_graph(Source& source) {
  const auto num_nodes = static_cast<int32_t>(source.one_of<int64_t>({0, 1, 2, 7, 300, 1000}));
  const int64_t rows = source.between(0, 200);
  std::vector<int32_t> src(rows), dst(rows);
  const bool damaged = num_nodes == 0 || source.chance(10);
  for (auto* column : {&src, &dst}) {
    for (int32_t& id : *column) {
      id = static_cast<int32_t>(damaged && source.chance(5) ? source.odd_integer() : source.below(num_nodes));
    }
  }
  const gnn::CscOptions options{source.chance(50), source.chance(50), source.chance(50)};
  try {
    const gnn::Csc csc = gnn::csc_from_coo({src.data(), dst.data(), rows}, num_nodes, options);
    expect(csc.indptr.size() == static_cast<size_t>(num_nodes) + 1, "a column is missing");
    expect(csc.indptr.back() == static_cast<int64_t>(csc.indices.size()) &&
               std::is_sorted(csc.indptr.begin(), csc.indptr.end()),
           "columns do not follow each other");
    expect(csc.edge_ids.size() == csc.indices.size(), "an edge has no row");
    for (const int32_t u : csc.indices) expect(u >= 0 && u < num_nodes, "an edge comes from nowhere");
  } catch (const gnn::Error&) {
    expect(damaged, "a sound graph was refused");
  }
}

void one(Source& source) {
  const int64_t kind = source.below(5);
  if (kind < 2) scan_text(source);
  else if (kind == 2) relabel(source);
  else if (kind == 3) relabel_texts(source);
  else build_graph(source);
}

}  // namespace

int main(int argc, char** argv) { return fuzz::run(argc, argv, one); }
