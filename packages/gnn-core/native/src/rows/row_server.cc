#include "row_server.h"

#include <cerrno>
#include <cstring>

namespace gnn {
namespace {

constexpr size_t kCurveKeyBytes = 32;
// [who asks][RequestHeader][table][ids][rows]
constexpr size_t kRequestFrames = 5;

Error refused(const std::string& message) { return Error("RANK_MISMATCH", message); }

std::vector<ZmqFrame> make_reply(uint64_t id, ReplyStatus status, ZmqFrame payload) {
  const ReplyHeader header{kRowMagic, status, id};
  std::vector<ZmqFrame> reply;
  reply.emplace_back(&header, sizeof(header));
  reply.push_back(std::move(payload));
  return reply;
}

ZmqFrame text(const std::string& value) { return ZmqFrame(value.data(), value.size()); }

}  // namespace

RowServer::RowServer(std::shared_ptr<ZmqContext> context, std::shared_ptr<RowStore> store,
                     const RowServiceOptions& options, const JobKeys& keys)
    : store_(std::move(store)),
      keys_(keys),
      authenticator_(std::make_unique<ZmqSocket>(context, ZMQ_REP)),
      router_(std::make_unique<ZmqSocket>(context, ZMQ_ROUTER)) {
  if (zmq_bind(authenticator_->get(), "inproc://zeromq.zap.01") != 0) throw_zmq_error("No authenticator");
  router_->set_defaults();
  router_->set_limit(kMaxMessageBytes);
  router_->protect_as_server(keys_);
  bind(options);
}

void RowServer::bind(const RowServiceOptions& options) {
  const std::string host = options.address.find(':') == std::string::npos ? options.address : "[" + options.address + "]";
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
    authenticator_.reset();
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
    zmq_pollitem_t items[] = {{nullptr, wake_.descriptor(), ZMQ_POLLIN, 0},
                              {authenticator_->get(), 0, ZMQ_POLLIN, 0},
                              {router_->get(), 0, ZMQ_POLLIN, 0}};
    if (zmq_poll(items, 3, -1) < 0 && zmq_errno() != EINTR) return;
    if (items[1].revents & ZMQ_POLLIN) authenticate();
    if (items[2].revents & ZMQ_POLLIN) answer();
  }
}

void RowServer::authenticate() {
  // [version][request id][domain][address][identity][mechanism][credentials …]
  std::vector<ZmqFrame> request = authenticator_->receive();
  if (request.empty()) return;
  uint8_t expected[kCurveKeyBytes];
  const bool is_known = request.size() == 7 && request[6].size() == kCurveKeyBytes && !keys_.empty() &&
                        zmq_z85_decode(expected, keys_.public_key.c_str()) != nullptr &&
                        std::memcmp(request[6].data(), expected, kCurveKeyBytes) == 0;
  std::vector<ZmqFrame> answer;
  answer.push_back(text("1.0"));
  answer.push_back(request.size() > 1 ? std::move(request[1]) : ZmqFrame());
  answer.push_back(text(is_known ? "200" : "400"));
  answer.push_back(text(is_known ? "OK" : "Not of this job"));
  answer.push_back(text(""));
  answer.push_back(text(""));
  authenticator_->send(answer);
}

void RowServer::answer() {
  std::vector<ZmqFrame> frames = router_->receive();
  if (frames.size() < 2 || frames[1].size() != sizeof(RequestHeader)) return;
  std::vector<ZmqFrame> reply = reply_to(frames);
  reply.insert(reply.begin(), std::move(frames[0]));
  // A peer that has gone away meanwhile needs no reply.
  router_->send(reply);
}

std::vector<ZmqFrame> RowServer::reply_to(std::vector<ZmqFrame>& frames) {
  RequestHeader header;
  std::memcpy(&header, frames[1].data(), sizeof(header));
  try {
    return make_reply(header.id, ReplyStatus::kOk, perform(header, frames));
  } catch (const std::exception& error) {
    const std::string message = "rank " + std::to_string(store_->rank()) + " refuses: " + error.what();
    return make_reply(header.id, ReplyStatus::kRefused, text(message));
  }
}

ZmqFrame RowServer::perform(const RequestHeader& header, std::vector<ZmqFrame>& frames) {
  const auto op = static_cast<uint32_t>(header.op);
  if (frames.size() != kRequestFrames || header.magic != kRowMagic || op > static_cast<uint32_t>(RowOp::kDraw)) {
    throw refused("the request is not of this version of the row service.");
  }
  if (header.rank >= static_cast<uint32_t>(store_->world_size())) throw refused("there is no such rank.");
  if (frames[2].size() > kMaxRowName) throw refused("the table's name is too long.");
  const std::string name(reinterpret_cast<const char*>(frames[2].data()), frames[2].size());
  if (header.op == RowOp::kDraw) return draw(header, name, frames);
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
  if (count > static_cast<uint64_t>(rows_per_chunk(schema)) || frames[3].size() != count * sizeof(int32_t) ||
      frames[4].size() != payload) {
    throw refused("the request for \"" + name + "\" has frames of other lengths than it says.");
  }
  std::vector<int32_t> ids(count);
  if (count > 0) std::memcpy(ids.data(), frames[3].data(), count * sizeof(int32_t));
  served_rows_ += count;
  served_bytes_ += count * (row_bytes + sizeof(int32_t));
  if (header.op == RowOp::kGet) {
    ZmqFrame rows(count * row_bytes);
    table->read(ids.data(), static_cast<int64_t>(count), rows.data());
    return rows;
  }
  std::vector<uint8_t> rows(frames[4].data(), frames[4].data() + payload);
  table->stage({static_cast<int>(header.rank), header.sequence, header.op, std::move(ids), std::move(rows)});
  return ZmqFrame();
}

ZmqFrame RowServer::draw(const RequestHeader& header, const std::string& name, std::vector<ZmqFrame>& frames) {
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
  if (count == 0 || count > kMaxListsPerRequest || frames[3].size() != count * sizeof(int32_t) ||
      frames[4].size() != sizeof(how)) {
    throw refused("the request for \"" + name + "\" has frames of other lengths than it says.");
  }
  std::memcpy(&how, frames[4].data(), sizeof(how));
  std::vector<int32_t> ids(count);
  std::memcpy(ids.data(), frames[3].data(), count * sizeof(int32_t));
  DrawnLists drawn;
  const int64_t done = lists->draw(ids.data(), static_cast<int64_t>(count), {how.fanout, how.replace != 0, how.stream},
                                   entries_per_reply(*lists), drawn);
  const auto num_entries = static_cast<int64_t>(drawn.entries.size());
  if (num_entries > longest_list(*lists)) {
    throw refused("node " + std::to_string(ids[0]) + " has " + std::to_string(num_entries) + " entries in \"" + name +
                  "\"; at most " + std::to_string(longest_list(*lists)) + " can be sent. Draw fewer.");
  }
  served_lists_ += static_cast<uint64_t>(done);
  served_entries_ += static_cast<uint64_t>(num_entries);
  const size_t ids_bytes = static_cast<size_t>(done) * sizeof(int32_t);
  const size_t entries_bytes = drawn.entries.size() * sizeof(int32_t), values_bytes = drawn.values.size() * sizeof(float);
  served_bytes_ += 2 * ids_bytes + entries_bytes + values_bytes;
  ZmqFrame reply(sizeof(done) + ids_bytes + entries_bytes + values_bytes);
  uint8_t* out = reply.data();
  const auto append = [&](const void* data, size_t bytes) {
    if (bytes > 0) std::memcpy(out, data, bytes);
    out += bytes;
  };
  append(&done, sizeof(done));
  append(drawn.counts.data(), ids_bytes);
  append(drawn.entries.data(), entries_bytes);
  append(drawn.values.data(), values_bytes);
  return reply;
}

}  // namespace gnn
