#include "row_client.h"

#include <algorithm>
#include <cstring>

namespace gnn {
namespace {

// Requests under way to one peer: enough to hide a round trip, few enough that no queue reaches its high-water mark.
constexpr size_t kWindow = 16;
// Replies are read in turns, so that one busy peer does not starve the deadlines.
constexpr int kRepliesPerTurn = 64;
constexpr int kWatched = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                         ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                         ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED;

const char* name_of(RowOp op) {
  switch (op) {
    case RowOp::kGet: return "get";
    case RowOp::kSet: return "set";
    case RowOp::kDraw: return "draw";
    default: return "add";
  }
}

}  // namespace

RowClient::RowClient(std::shared_ptr<ZmqContext> context, std::shared_ptr<RowStore> store,
                     std::shared_ptr<TlsKey> key, std::chrono::milliseconds connect_timeout)
    : context_(std::move(context)),
      store_(std::move(store)),
      key_(std::move(key)),
      connect_timeout_(connect_timeout),
      peers_(store_->world_size()) {}

void RowClient::start(std::function<void()> ended) {
  thread_ = std::thread([this, ended = std::move(ended)] {
    work();
    ended();
  });
}

RowClient::~RowClient() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void RowClient::stop() {
  stopping_ = true;
  wake_.signal();
}

void RowClient::connect(std::vector<std::string> endpoints, std::function<void(const Error*)> done) {
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back([this, endpoints = std::move(endpoints), done = std::move(done)] { open_peers(endpoints, done); });
  }
  wake_.signal();
}

void RowClient::call(RowCall call) {
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back([this, call = std::move(call)]() mutable { begin(std::move(call)); });
  }
  wake_.signal();
}

RowCounters RowClient::counters() const {
  RowCounters counters;
  counters.requested_rows = requested_rows_;
  counters.local_rows = local_rows_;
  counters.remote_rows = remote_rows_;
  counters.remote_lists = remote_lists_;
  counters.remote_entries = remote_entries_;
  counters.remote_bytes = remote_bytes_;
  return counters;
}

void RowClient::work() {
  while (!stopping_) {
    poll();
    run_queue();
    for (Peer& peer : peers_) send_waiting(peer);
    expire();
  }
  run_queue();  // what was queued before the stop learns of it like the rest
  const Error closed("RANK_LOST", "Rank " + std::to_string(store_->rank()) + "'s row service is closed.");
  for (const auto& pending : pending_) settle(*pending, &closed);
  if (connecting_) connecting_->done(&closed);
  connecting_.reset();
  pending_.clear();
  for (Peer& peer : peers_) {
    if (peer.socket) zmq_socket_monitor(peer.socket->get(), nullptr, 0);
  }
  peers_.clear();
  context_.reset();
}

void RowClient::poll() {
  std::vector<zmq_pollitem_t> items{{nullptr, wake_.descriptor(), ZMQ_POLLIN, 0}};
  std::vector<int> ranks;
  for (size_t rank = 0; rank < peers_.size(); ++rank) {
    if (!peers_[rank].socket || peers_[rank].lost) continue;
    items.push_back({peers_[rank].monitor->get(), 0, ZMQ_POLLIN, 0});
    items.push_back({peers_[rank].socket->get(), 0, ZMQ_POLLIN, 0});
    ranks.push_back(static_cast<int>(rank));
  }
  if (zmq_poll(items.data(), static_cast<int>(items.size()), poll_timeout_ms()) < 0) return;
  if (items[0].revents & ZMQ_POLLIN) wake_.clear();
  for (size_t i = 0; i < ranks.size(); ++i) {
    Peer& peer = peers_[ranks[i]];
    // Replies before the news that the peer has gone: what it answered counts.
    if (items[2 + 2 * i].revents & ZMQ_POLLIN) receive_replies(ranks[i], peer);
    if (items[1 + 2 * i].revents & ZMQ_POLLIN) watch(ranks[i], peer);
  }
}

void RowClient::run_queue() {
  std::deque<std::function<void()>> queue;
  {
    const std::lock_guard lock(queue_mutex_);
    queue.swap(queue_);
  }
  for (auto& work : queue) work();
}

void RowClient::open_peers(const std::vector<std::string>& endpoints, std::function<void(const Error*)> done) {
  connecting_ = Connecting{std::move(done), Clock::now() + connect_timeout_};
  try {
    for (size_t rank = 0; rank < peers_.size(); ++rank) {
      if (static_cast<int>(rank) == store_->rank()) continue;
      Peer& peer = peers_[rank];
      peer.socket = std::make_unique<ZmqSocket>(context_, ZMQ_DEALER);
      peer.socket->set_defaults();
      peer.socket->set_limit(kMaxMessageBytes);
      if (endpoints[rank].find('[') != std::string::npos) peer.socket->set(ZMQ_IPV6, 1);
      if (key_) peer.channel = std::make_unique<TlsChannel>(key_, TlsChannel::End::client);
      const std::string events = "inproc://peer-" + std::to_string(rank);
      if (zmq_socket_monitor(peer.socket->get(), events.c_str(), kWatched) != 0) throw_zmq_error("No monitor");
      peer.monitor = std::make_unique<ZmqSocket>(context_, ZMQ_PAIR);
      if (zmq_connect(peer.monitor->get(), events.c_str()) != 0) throw_zmq_error("No monitor");
      if (zmq_connect(peer.socket->get(), endpoints[rank].c_str()) != 0) {
        throw_zmq_error("Rank " + std::to_string(rank) + " cannot be at " + endpoints[rank]);
      }
    }
  } catch (const Error& error) {
    connecting_->done(&error);
    connecting_.reset();
    return;
  }
  settle_connecting();
}

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
      if (!peer.socket) throw Error("RANK_LOST", "The row service is not connected with rank " + std::to_string(owner) + ".");
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

void RowClient::send_waiting(Peer& peer) {
  if (peer.lost || !send(peer)) return;
  while (!peer.waiting.empty() && peer.sent.size() < kWindow && peer.is_ready && !peer.lost) {
    Chunk& chunk = peer.waiting.front();
    if (chunk.pending->is_settled) {
      peer.waiting.pop_front();
      continue;
    }
    peer.unsent = request_for(chunk, peer.channel.get());
    if (!chunk.pending->lists) {
      const auto count = static_cast<uint64_t>(chunk.end - chunk.begin);
      const auto row_bytes = static_cast<uint64_t>(chunk.pending->table->schema().row_bytes());
      remote_rows_ += count;
      remote_bytes_ += count * (row_bytes + sizeof(int32_t));
    }
    const uint64_t id = chunk.id;
    peer.sent.emplace(id, std::move(chunk));
    peer.waiting.pop_front();
    if (!send(peer)) return;
  }
}

// Not taken: the deadline or the end of the connection will tell.
bool RowClient::send(Peer& peer) {
  if (!peer.unsent) return true;
  std::vector<ZmqFrame> frames;
  frames.push_back(std::move(*peer.unsent));
  const bool is_taken = peer.socket->send(frames);
  if (is_taken) peer.unsent.reset();
  else peer.unsent = std::move(frames[0]);
  return is_taken;
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
  const DrawHeader how{call.draw.fanout, call.draw.replace ? 1u : 0u, call.draw.stream};
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

void RowClient::receive_replies(int rank, Peer& peer) {
  for (int i = 0; i < kRepliesPerTurn && !peer.lost; ++i) {
    std::vector<ZmqFrame> frames = peer.socket->receive();
    if (frames.empty()) return;
    if (frames.size() != 1) return lose(rank, peer, "sent no reply of this version");
    if (!peer.is_ready) {
      greet(rank, peer, &frames[0]);
      continue;
    }
    try {
      take_message(rank, peer, frames[0]);
      if (!peer.lost) send_waiting(peer);
    } catch (const Error& error) {
      return lose(rank, peer, std::string("cannot be understood: ") + error.what());
    }
  }
}

// Begins, without an answer, or takes on what goes before the first request.
void RowClient::greet(int rank, Peer& peer, ZmqFrame* answer) {
  const auto refuse = [&] { lose(rank, peer, "refused the connection: the ranks have different secrets, or versions"); };
  bool is_done = false;
  if (peer.channel) {
    if (!peer.channel->shake_hands(answer ? answer->data() : nullptr, answer ? answer->size() : 0)) return refuse();
    const std::vector<uint8_t> next = peer.channel->take_unsent();
    if (!next.empty()) peer.unsent.emplace(next.data(), next.size());
    is_done = peer.channel->is_ready();
  } else if (answer) {
    if (answer->size() != sizeof(kHello) || std::memcmp(answer->data(), &kHello, sizeof(kHello)) != 0) return refuse();
    is_done = true;
  } else {
    peer.unsent.emplace(&kHello, sizeof(kHello));
  }
  send(peer);
  if (!is_done) return;
  peer.is_ready = true;
  settle_connecting();
}

void RowClient::take_message(int rank, Peer& peer, ZmqFrame& message) {
  MessageReader reply(peer.channel.get(), message);
  ReplyHeader header;
  if (!reply.read(&header, sizeof(header))) return lose(rank, peer, "sent no reply of this version");
  const auto found = peer.sent.find(header.id);
  if (header.magic != kRowMagic || found == peer.sent.end()) return lose(rank, peer, "answered what nobody asked");
  // Stays among what was sent until it is taken: when the peer is lost over it, its call is told.
  take_reply(rank, found->second, header, reply);
  if (!peer.lost) peer.sent.erase(header.id);
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

void RowClient::watch(int rank, Peer& peer) {
  while (!peer.lost) {
    // [event, value][endpoint]
    std::vector<ZmqFrame> frames = peer.monitor->receive();
    if (frames.empty()) return;
    uint16_t event = 0;
    if (frames[0].size() >= sizeof(event)) std::memcpy(&event, frames[0].data(), sizeof(event));
    if (event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
      greet(rank, peer, nullptr);
    } else if (peer.is_ready) {
      lose(rank, peer, "closed its connection");
    } else {
      lose(rank, peer, "refused the connection: nobody listens there, or not in this protocol");
    }
  }
}

void RowClient::lose(int rank, Peer& peer, const std::string& why) {
  const std::string who = "rank " + std::to_string(rank);
  peer.lost.emplace("RANK_LOST", "Row service: " + who + " " + why + ".");
  for (Chunk& chunk : peer.waiting) {
    const Error error("RANK_LOST", describe(*chunk.pending) + ": " + who + " " + why + ".");
    settle(*chunk.pending, &error);
  }
  for (auto& [id, chunk] : peer.sent) {
    const Error error("RANK_LOST", describe(*chunk.pending) + ": " + who + " " + why + ".");
    settle(*chunk.pending, &error);
  }
  peer.waiting.clear();
  peer.sent.clear();
  settle_connecting();
}

void RowClient::settle(Pending& pending, const Error* error) {
  if (pending.is_settled) return;
  pending.is_settled = true;
  pending.call.done(error);
}

void RowClient::settle_connecting() {
  if (!connecting_) return;
  const Error* lost = nullptr;
  bool is_complete = true;
  for (size_t rank = 0; rank < peers_.size(); ++rank) {
    if (static_cast<int>(rank) == store_->rank()) continue;
    if (peers_[rank].lost) lost = &*peers_[rank].lost;
    is_complete = is_complete && peers_[rank].is_ready;
  }
  if (!lost && !is_complete) return;
  connecting_->done(lost);
  connecting_.reset();
}

void RowClient::expire() {
  const Clock::time_point now = Clock::now();
  for (const auto& pending : pending_) {
    if (pending->is_settled || pending->deadline > now) continue;
    std::string waiting_for;
    for (size_t rank = 0; rank < peers_.size(); ++rank) {
      const auto is_of_call = [&](const Chunk& chunk) { return chunk.pending == pending; };
      const Peer& peer = peers_[rank];
      if (std::any_of(peer.waiting.begin(), peer.waiting.end(), is_of_call) ||
          std::any_of(peer.sent.begin(), peer.sent.end(), [&](const auto& sent) { return is_of_call(sent.second); })) {
        waiting_for += (waiting_for.empty() ? "rank " : ", ") + std::to_string(rank);
      }
    }
    const Error error("RANK_TIMEOUT", describe(*pending) + ": " + waiting_for + " did not answer within " +
                                          std::to_string(pending->call.timeout.count()) + " ms.");
    settle(*pending, &error);
  }
  std::erase_if(pending_, [](const auto& pending) { return pending->is_settled; });
  if (connecting_ && connecting_->deadline <= now) {
    std::string missing;
    for (size_t rank = 0; rank < peers_.size(); ++rank) {
      if (static_cast<int>(rank) == store_->rank() || peers_[rank].is_ready) continue;
      missing += (missing.empty() ? "rank " : ", ") + std::to_string(rank);
    }
    const Error error("RANK_TIMEOUT", "The row service of " + missing + " did not answer within " +
                                          std::to_string(connect_timeout_.count()) + " ms.");
    connecting_->done(&error);
    connecting_.reset();
  }
}

int RowClient::poll_timeout_ms() const {
  std::optional<Clock::time_point> next;
  for (const auto& pending : pending_) next = next ? std::min(*next, pending->deadline) : pending->deadline;
  if (connecting_) next = next ? std::min(*next, connecting_->deadline) : connecting_->deadline;
  if (!next) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*next - Clock::now()).count() + 1;
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

std::string RowClient::describe(const Pending& pending) const {
  return "Rank " + std::to_string(store_->rank()) + ", " + name_of(pending.call.op) + " of " +
         std::to_string(pending.call.count) + " rows of \"" + pending.call.table + "\"";
}

}  // namespace gnn
