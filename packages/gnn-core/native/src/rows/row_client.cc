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
  const auto refuse = [&] {
    lose(rank, peer, "refused the connection: the ranks have different secrets, or versions");
  };
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

}  // namespace gnn
