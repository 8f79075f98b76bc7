// What the client does with one call: it asks each owner for its part of it, answers its own rank's, and puts together
// what comes back.
#include <algorithm>
#include <cstring>

#include "row_client.h"

namespace gnn {
namespace {

const char* name_of(RowOp op) {
  switch (op) {
    case RowOp::kGet: return "get";
    case RowOp::kSet: return "set";
    case RowOp::kDraw: return "draw";
    default: return "add";
  }
}

}  // namespace

void RowClient::begin(RowCall call) {
  auto pending = std::make_shared<Pending>();
  pending->call = std::move(call);
  const RowCall& asked = pending->call;
  pending->deadline = Clock::now() + asked.timeout;
  try {
    plan(*pending);
    const auto& offsets = pending->lists ? pending->lists->offsets() : pending->table->schema().offsets;
    const int64_t step = step_of(*pending);
    for_each_owner(pending->plan, offsets, [&](int owner, int64_t begin, int64_t end) {
      if (owner == store_->rank()) {
        return pending->lists ? draw_local(*pending, begin, end) : serve_local(*pending, begin, end);
      }
      Peer& peer = peers_[owner];
      if (peer.lost) throw *peer.lost;
      if (!peer.socket)
        throw Error("RANK_LOST", "The row service is not connected with rank " + std::to_string(owner) + ".");
      for (; begin < end; begin += step) {
        peer.waiting.push_back({pending, next_id_++, next_sequence_++, begin, std::min(begin + step, end)});
        ++pending->num_waiting;
      }
    });
  } catch (const Error& error) {
    settle(*pending, &error);
    return;
  } catch (const std::bad_alloc&) {
    const Error error("RANK_LOST", describe(*pending) + ": the system has no memory left.");
    settle(*pending, &error);
    return;
  }
  if (pending->num_waiting == 0) finish(*pending);
  else pending_.push_back(std::move(pending));
}

void RowClient::plan(Pending& pending) {
  const RowCall& asked = pending.call;
  if (asked.op == RowOp::kDraw) {
    pending.lists = store_->lists(asked.table);
    pending.plan = plan_rows(asked.table, asked.ids, asked.count, pending.lists->num_lists());
    return;
  }
  pending.table = store_->table(asked.table);
  const RowSchema& schema = pending.table->schema();
  if (asked.op != RowOp::kGet && schema.read_only) {
    throw Error("SPEC_INVALID", "The rows of \"" + asked.table + "\" are read-only.");
  }
  if (asked.op == RowOp::kAdd) require_addable(asked.table, schema.dtype);
  pending.plan = plan_rows(asked.table, asked.ids, asked.count, schema.num_rows());
  if (asked.op != RowOp::kGet) pending.rows = reduce_rows(pending.plan, asked.op, schema, asked.rows);
  requested_rows_ += static_cast<uint64_t>(asked.count);
}

int64_t RowClient::step_of(const Pending& pending) const {
  if (!pending.lists) return rows_per_chunk(pending.table->schema());
  return std::clamp<int64_t>(lists_per_chunk(*pending.lists, pending.call.draw), 1, kMaxListsPerRequest);
}

void RowClient::draw_local(Pending& pending, int64_t begin, int64_t end) {
  pending.drawn.push_back({begin, {}});
  pending.lists->draw(pending.plan.ids.data() + begin, end - begin, pending.call.draw, INT64_MAX,
                      pending.drawn.back().lists);
}

void RowClient::serve_local(Pending& pending, int64_t begin, int64_t end) {
  const RowCall& call = pending.call;
  const int64_t row_bytes = pending.table->schema().row_bytes();
  const int32_t* ids = pending.plan.ids.data();
  local_rows_ += static_cast<uint64_t>(end - begin);
  if (call.op == RowOp::kGet) {
    std::vector<uint8_t> rows((end - begin) * row_bytes);
    pending.table->read(ids + begin, end - begin, rows.data());
    scatter_rows(pending.plan, begin, end, rows.data(), row_bytes, call.out);
    return;
  }
  const uint8_t* rows = pending.rows.data();
  pending.table->stage({store_->rank(), next_sequence_++, call.op, {ids + begin, ids + end},
                        {rows + begin * row_bytes, rows + end * row_bytes}});
}

ZmqFrame RowClient::request_for(const Chunk& chunk, TlsChannel* channel) const {
  const Pending& pending = *chunk.pending;
  const RowCall& call = pending.call;
  const int64_t count = chunk.end - chunk.begin;
  const int64_t row_bytes = pending.lists ? pending.lists->entry_bytes() : pending.table->schema().row_bytes();
  const int64_t num_rows = pending.lists ? pending.lists->num_lists() : pending.table->schema().num_rows();
  const RequestHeader header{kRowMagic,
                             call.op,
                             chunk.id,
                             chunk.sequence,
                             static_cast<uint32_t>(store_->rank()),
                             pending.lists ? RowDtype::kInt32 : pending.table->schema().dtype,
                             static_cast<uint64_t>(count),
                             static_cast<uint64_t>(row_bytes),
                             static_cast<uint64_t>(num_rows),
                             call.table.size()};
  const DrawHeader how{call.draw.fanout, call.draw.replace ? 1u : 0u, call.draw.stream, call.draw.relation};
  const size_t ids_bytes = static_cast<size_t>(count) * sizeof(int32_t);
  const auto [rest, rest_bytes] = [&]() -> std::pair<const void*, size_t> {
    if (pending.lists) return {&how, sizeof(how)};
    if (call.op == RowOp::kGet) return {nullptr, 0};
    return {pending.rows.data() + chunk.begin * row_bytes, static_cast<size_t>(count * row_bytes)};
  }();
  MessageWriter request(channel, sizeof(header) + call.table.size() + ids_bytes + rest_bytes);
  request.append(&header, sizeof(header));
  request.append(call.table.data(), call.table.size());
  request.append(pending.plan.ids.data() + chunk.begin, ids_bytes);
  request.append(rest, rest_bytes);
  return request.finish();
}

void RowClient::take_reply(int rank, const Chunk& chunk, const ReplyHeader& header, MessageReader& reply) {
  Pending& pending = *chunk.pending;
  if (pending.is_settled) {  // its memory may be gone
    reply.rest();
    return;
  }
  if (header.status != ReplyStatus::kOk) {
    const Error error("RANK_MISMATCH", describe(pending) + ": " + reply.rest());
    return settle(pending, &error);
  }
  const bool is_get = pending.call.op == RowOp::kGet;
  if (pending.lists ? !take_lists(rank, chunk, reply) : is_get && !take_rows(pending, chunk, reply)) {
    return lose(rank, peers_[rank], "answered with other rows than it was asked for");
  }
  if (!reply.is_at_end()) return lose(rank, peers_[rank], "answered with more than it was asked for");
  if (--pending.num_waiting == 0) finish(pending);
}

bool RowClient::take_rows(Pending& pending, const Chunk& chunk, MessageReader& reply) {
  const auto row_bytes = static_cast<size_t>(pending.table->schema().row_bytes());
  const RowPlan& plan = pending.plan;
  for (int64_t u = chunk.begin; u < chunk.end; ++u) {
    uint8_t* first = pending.call.out + plan.positions[plan.starts[u]] * row_bytes;
    if (!reply.read(first, row_bytes)) return false;
    for (int64_t i = plan.starts[u] + 1; i < plan.starts[u + 1]; ++i) {
      std::memcpy(pending.call.out + plan.positions[i] * row_bytes, first, row_bytes);
    }
  }
  return true;
}

bool RowClient::take_lists(int rank, const Chunk& chunk, MessageReader& reply) {
  Pending& pending = *chunk.pending;
  int64_t done = 0;
  const int64_t asked = chunk.end - chunk.begin;
  if (!reply.read(&done, sizeof(done)) || done < 1 || done > asked) return false;
  const size_t counts_bytes = static_cast<size_t>(done) * sizeof(int32_t);
  DrawnRange range{chunk.begin, {}};
  DrawnLists& lists = range.lists;
  lists.counts.resize(done);
  if (!reply.read(lists.counts.data(), counts_bytes)) return false;
  uint64_t num_entries = 0;
  for (const int32_t count : lists.counts) {
    if (count < 0) return false;
    num_entries += static_cast<uint64_t>(count);
  }
  const auto entry_bytes = static_cast<uint64_t>(pending.lists->entry_bytes());
  if (num_entries * entry_bytes > static_cast<uint64_t>(kMaxMessageBytes)) return false;
  lists.entries.resize(num_entries);
  if (!reply.read(lists.entries.data(), num_entries * sizeof(int32_t))) return false;
  if (pending.lists->has_values()) {
    lists.values.resize(num_entries);
    if (!reply.read(lists.values.data(), num_entries * sizeof(float))) return false;
  }
  remote_lists_ += static_cast<uint64_t>(done);
  remote_entries_ += num_entries;
  remote_bytes_ += 2 * counts_bytes + num_entries * entry_bytes;
  pending.drawn.push_back(std::move(range));
  if (done < asked) {
    peers_[rank].waiting.push_back({chunk.pending, next_id_++, next_sequence_++, chunk.begin + done, chunk.end});
    ++pending.num_waiting;
  }
  return true;
}

void RowClient::finish(Pending& pending) {
  if (pending.is_settled) return;
  if (pending.lists) {
    try {
      *pending.call.lists = in_call_order(pending.plan, pending.drawn);
    } catch (const Error& error) {
      return settle(pending, &error);
    } catch (const std::bad_alloc&) {
      const Error error("RANK_LOST", describe(pending) + ": the system has no memory left.");
      return settle(pending, &error);
    }
  }
  settle(pending, nullptr);
}

std::string RowClient::describe(const Pending& pending) const {
  return "Rank " + std::to_string(store_->rank()) + ", " + name_of(pending.call.op) + " of " +
         std::to_string(pending.call.count) + " rows of \"" + pending.call.table + "\"";
}

}  // namespace gnn
