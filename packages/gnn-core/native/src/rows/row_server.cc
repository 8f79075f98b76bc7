#include "row_server.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace gnn {
namespace {

// Messages that are answered before the socket is polled again
constexpr int kRepliesPerTurn = 64;
// Who is in the handshake at a time, beside the ranks: others are forgotten, so that strangers fill no memory.
constexpr size_t kMaxStrangers = 64;

Error refused(const std::string& message) { return Error("RANK_MISMATCH", message); }

MessageWriter begin_reply(TlsChannel* channel, uint64_t id, ReplyStatus status, size_t bytes) {
  const ReplyHeader header{kRowMagic, status, id};
  MessageWriter reply(channel, sizeof(header) + bytes);
  reply.append(&header, sizeof(header));
  return reply;
}

Error other_length(const std::string& name) {
  return refused("the request for \"" + name + "\" is of another length than it says.");
}

ZmqFrame frame_of(const std::vector<uint8_t>& bytes) { return ZmqFrame(bytes.data(), bytes.size()); }

}  // namespace

RowServer::RowServer(std::shared_ptr<ZmqContext> context, std::shared_ptr<RowStore> store,
                     const RowServiceOptions& options, std::shared_ptr<TlsKey> key)
    : store_(std::move(store)), key_(std::move(key)), router_(std::make_unique<ZmqSocket>(context, ZMQ_ROUTER)) {
  router_->set_defaults();
  router_->set_limit(kMaxMessageBytes);
  bind(options);
}

void RowServer::bind(const RowServiceOptions& options) {
  const std::string host =
      options.address.find(':') == std::string::npos ? options.address : "[" + options.address + "]";
  if (options.address.find(':') != std::string::npos) router_->set(ZMQ_IPV6, 1);
  for (int port = options.first_port; port <= options.last_port; ++port) {
    const std::string wanted = "tcp://" + host + ":" + (port == 0 ? "*" : std::to_string(port));
    if (zmq_bind(router_->get(), wanted.c_str()) == 0) {
      char bound[256];
      size_t size = sizeof(bound);
      if (zmq_getsockopt(router_->get(), ZMQ_LAST_ENDPOINT, bound, &size) != 0) throw_zmq_error("No endpoint");
      endpoint_ = bound;
      return;
    }
    if (zmq_errno() != EADDRINUSE) throw_zmq_error("The row service cannot listen on " + wanted);
  }
  throw Error("RANK_LOST", "Every port of " + options.address + " from " + std::to_string(options.first_port) + " to " +
                               std::to_string(options.last_port) + " is in use; allow the row service more of them.");
}

void RowServer::start(std::function<void()> ended) {
  thread_ = std::thread([this, ended = std::move(ended)] {
    work();
    // Now, not when the service is collected: the peers wait for the end of their connections.
    router_.reset();
    ended();
  });
}

RowServer::~RowServer() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void RowServer::stop() {
  stopping_ = true;
  wake_.signal();
}

void RowServer::work() {
  while (!stopping_) {
    zmq_pollitem_t items[] = {{nullptr, wake_.descriptor(), ZMQ_POLLIN, 0}, {router_->get(), 0, ZMQ_POLLIN, 0}};
    if (zmq_poll(items, 2, -1) < 0 && zmq_errno() != EINTR) return;
    for (int i = 0; i < kRepliesPerTurn && !stopping_ && answer(); ++i) {
    }
  }
}

bool RowServer::answer() {
  // [who asks][message]
  std::vector<ZmqFrame> frames = router_->receive();
  if (frames.empty()) return false;
  if (frames.size() != 2) return true;
  const std::string who(reinterpret_cast<const char*>(frames[0].data()), frames[0].size());
  std::optional<ZmqFrame> reply = key_ ? answer_sealed(who, frames[1]) : reply_to(nullptr, frames[1]);
  if (!reply) return true;
  frames[1] = std::move(*reply);
  // A peer that has gone away meanwhile needs no reply.
  router_->send(frames);
  return true;
}

std::optional<ZmqFrame> RowServer::answer_sealed(const std::string& who, ZmqFrame& message) {
  TlsChannel& channel = channel_of(who);
  bool goes_on = true;
  if (!channel.is_ready()) {
    goes_on = channel.shake_hands(message.data(), message.size());
    if (!goes_on || channel.is_ready()) std::erase(strangers_, who);
  } else {
    try {
      return reply_to(&channel, message);
    } catch (const Error&) {
      // Not from the rank that shook hands, or not as that sent it: no later message of it can be read either.
      goes_on = false;
    }
  }
  const std::vector<uint8_t> answer = channel.take_unsent();
  if (!goes_on) channels_.erase(who);
  return answer.empty() ? std::nullopt : std::optional(frame_of(answer));
}

TlsChannel& RowServer::channel_of(const std::string& who) {
  const auto found = channels_.find(who);
  if (found != channels_.end()) return found->second;
  if (strangers_.size() >= kMaxStrangers + static_cast<size_t>(store_->world_size())) {
    channels_.erase(strangers_.front());
    strangers_.pop_front();
  }
  strangers_.push_back(who);
  return channels_.try_emplace(who, key_, TlsChannel::End::server).first->second;
}

ZmqFrame RowServer::reply_to(TlsChannel* channel, ZmqFrame& message) {
  RequestHeader header{};
  std::string what;
  MessageReader request(channel, message);
  const bool has_header = request.read(&header, sizeof(header));
  if (!channel && !has_header && message.size() == sizeof(kHello) && header.magic == kHello) {
    return ZmqFrame(&kHello, sizeof(kHello));
  }
  try {
    if (!has_header) throw refused("the request is not of this version of the row service.");
    return perform(channel, header, request);
  } catch (const std::exception& error) {
    what = "rank " + std::to_string(store_->rank()) + " refuses: " + error.what();
  }
  request.rest();
  MessageWriter reply = begin_reply(channel, header.id, ReplyStatus::kRefused, what.size());
  reply.append(what.data(), what.size());
  return reply.finish();
}

ZmqFrame RowServer::perform(TlsChannel* channel, const RequestHeader& header, MessageReader& request) {
  const auto op = static_cast<uint32_t>(header.op);
  if (header.magic != kRowMagic || op > static_cast<uint32_t>(RowOp::kDraw)) {
    throw refused("the request is not of this version of the row service.");
  }
  if (header.rank >= static_cast<uint32_t>(store_->world_size())) throw refused("there is no such rank.");
  if (header.name_bytes > kMaxRowName) throw refused("the table's name is too long.");
  std::string name(header.name_bytes, '\0');
  if (!request.read(name.data(), name.size())) throw refused("the request ends in the table's name.");
  if (header.op == RowOp::kDraw) return draw(channel, header, name, request);
  const std::shared_ptr<RowTable> table = store_->find(name);
  if (!table) throw refused("it has no rows called \"" + name + "\"; host them on every rank before they are used.");
  const RowSchema& schema = table->schema();
  const auto row_bytes = static_cast<uint64_t>(schema.row_bytes());
  if (header.dtype != schema.dtype || header.row_bytes != row_bytes ||
      header.num_rows != static_cast<uint64_t>(schema.num_rows())) {
    throw refused("its \"" + name + "\" has " + std::to_string(schema.num_rows()) + " rows of " +
                  std::to_string(row_bytes) + " bytes; the request is for " + std::to_string(header.num_rows) + " of " +
                  std::to_string(header.row_bytes) + ", or of another type.");
  }
  const uint64_t count = header.count;
  const uint64_t payload = header.op == RowOp::kGet ? 0 : count * row_bytes;
  if (count > static_cast<uint64_t>(rows_per_chunk(schema))) throw other_length(name);
  std::vector<int32_t> ids(count);
  std::vector<uint8_t> rows(payload);
  const bool is_whole = request.read(ids.data(), count * sizeof(int32_t)) && request.read(rows.data(), payload);
  if (!is_whole || !request.is_at_end()) throw other_length(name);
  served_rows_ += count;
  served_bytes_ += count * (row_bytes + sizeof(int32_t));
  if (header.op != RowOp::kGet) {
    table->stage({static_cast<int>(header.rank), header.sequence, header.op, std::move(ids), std::move(rows)});
    return begin_reply(channel, header.id, ReplyStatus::kOk, 0).finish();
  }
  table->require_readable(ids.data(), static_cast<int64_t>(count));
  MessageWriter reply = begin_reply(channel, header.id, ReplyStatus::kOk, count * row_bytes);
  table->read_each(ids.data(), static_cast<int64_t>(count), [&](const uint8_t* row) { reply.append(row, row_bytes); });
  return reply.finish();
}

ZmqFrame RowServer::draw(TlsChannel* channel, const RequestHeader& header, const std::string& name,
                         MessageReader& request) {
  const std::shared_ptr<ListTable> lists = store_->find_lists(name);
  if (!lists) throw refused("it has no lists called \"" + name + "\"; host them on every rank before they are used.");
  if (header.row_bytes != static_cast<uint64_t>(lists->entry_bytes()) ||
      header.num_rows != static_cast<uint64_t>(lists->num_lists())) {
    throw refused("its \"" + name + "\" has " + std::to_string(lists->num_lists()) + " lists with entries of " +
                  std::to_string(lists->entry_bytes()) + " bytes; the request is for " +
                  std::to_string(header.num_rows) + " with " + std::to_string(header.row_bytes) + ".");
  }
  DrawHeader how;
  const uint64_t count = header.count;
  if (count == 0 || count > kMaxListsPerRequest) throw other_length(name);
  std::vector<int32_t> ids(count);
  const bool is_whole = request.read(ids.data(), count * sizeof(int32_t)) && request.read(&how, sizeof(how));
  if (!is_whole || !request.is_at_end()) throw other_length(name);
  if (how.relation > INT32_MAX) throw Error("SPEC_INVALID", "Relations are numbered below 2^31.");
  const auto relation = static_cast<int32_t>(std::max<int64_t>(how.relation, -1));
  DrawnLists drawn;
  const int64_t done = lists->draw(ids.data(), static_cast<int64_t>(count),
                                   {how.fanout, how.replace != 0, how.stream, relation}, entries_per_reply(*lists),
                                   drawn, longest_list(*lists));
  const auto num_entries = static_cast<int64_t>(drawn.entries.size());
  served_lists_ += static_cast<uint64_t>(done);
  served_entries_ += static_cast<uint64_t>(num_entries);
  const size_t ids_bytes = static_cast<size_t>(done) * sizeof(int32_t);
  const size_t entries_bytes = drawn.entries.size() * sizeof(int32_t),
               values_bytes = drawn.values.size() * sizeof(float);
  served_bytes_ += 2 * ids_bytes + entries_bytes + values_bytes;
  MessageWriter reply =
      begin_reply(channel, header.id, ReplyStatus::kOk, sizeof(done) + ids_bytes + entries_bytes + values_bytes);
  reply.append(&done, sizeof(done));
  reply.append(drawn.counts.data(), ids_bytes);
  reply.append(drawn.entries.data(), entries_bytes);
  reply.append(drawn.values.data(), values_bytes);
  return reply.finish();
}

}  // namespace gnn
