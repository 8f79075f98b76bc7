// The row service: a server that is sent damaged requests and handshakes, and a client that is sent damaged replies,
// over real sockets.
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fuzz.h"
#include "gnn/rows/row_service.h"
#include "rows/row_wire.h"
#include "rows/tls_channel.h"
#include "rows/zmq_socket.h"

namespace {

using fuzz::expect;
using fuzz::Source;
using Bytes = std::vector<uint8_t>;

constexpr int kPatienceMs = 10'000;
constexpr int64_t kRows = 40, kDim = 3;
const std::vector<uint8_t> kSecret(32, 7);

// The rows and lists of one of two ranks, which both have alike.
class Tables {
 public:
  explicit Tables(int rank) : store(std::make_shared<gnn::RowStore>(rank, 2)) {
    const std::vector<int64_t> offsets{0, kRows / 2, kRows};
    values_.resize(kRows / 2 * kDim);
    store->host("rows", {gnn::RowDtype::kFloat32, kDim, offsets, false}, reinterpret_cast<uint8_t*>(values_.data()));
    store->host("sums", {gnn::RowDtype::kFloat32, kDim, offsets, false}, nullptr);
    store->host("fixed", {gnn::RowDtype::kInt8, 5, offsets, true}, fixed_);
    for (int64_t i = 0; i <= kRows / 2; ++i) indptr_.push_back(i * 4);
    indices_.resize(indptr_.back(), 3);
    weights_.resize(indices_.size(), 0.5f);
    const gnn::PartView part{
        static_cast<int32_t>(offsets[rank]),  kRows / 2, indptr_.data(), indices_.data(), weights_.data(),
        static_cast<int64_t>(indices_.size())};
    store->host_lists("lists", offsets, {part});
  }

  const std::shared_ptr<gnn::RowStore> store;

 private:
  std::vector<float> values_;
  uint8_t fixed_[kRows / 2 * 5] = {};
  std::vector<int64_t> indptr_;
  std::vector<int32_t> indices_;
  std::vector<float> weights_;
};

gnn::RowServiceOptions options_of(const std::vector<uint8_t>& secret) {
  return {"127.0.0.1", 0, 0, secret, std::chrono::milliseconds(kPatienceMs)};
}

// What a call comes to, told by another thread.
class Outcome {
 public:
  std::function<void(const gnn::Error*)> done() {
    return [this](const gnn::Error* error) {
      const std::lock_guard lock(mutex_);
      failed_ = error != nullptr;
      is_done_ = true;
      changed_.notify_all();
    };
  }
  bool is_done() {
    const std::lock_guard lock(mutex_);
    return is_done_;
  }
  // Whether it went well
  bool wait() {
    std::unique_lock lock(mutex_);
    expect(changed_.wait_for(lock, std::chrono::milliseconds(2 * kPatienceMs), [this] { return is_done_; }),
           "a call has no end");
    return !failed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false, failed_ = false;
};

// Both ends of a fuzzed connection
class Socket {
 public:
  explicit Socket(int type) : context_(std::make_shared<gnn::ZmqContext>()), socket_(context_, type) {}
  gnn::ZmqSocket& get() { return socket_; }
  void connect(const std::string& endpoint) {
    expect(zmq_connect(socket_.get(), endpoint.c_str()) == 0, "no connection");
  }
  std::string bind() {
    expect(zmq_bind(socket_.get(), "tcp://127.0.0.1:*") == 0, "no port");
    char endpoint[256];
    size_t size = sizeof(endpoint);
    zmq_getsockopt(socket_.get(), ZMQ_LAST_ENDPOINT, endpoint, &size);
    return endpoint;
  }
  void send(const std::vector<Bytes>& parts) {
    std::vector<gnn::ZmqFrame> frames;
    for (const Bytes& part : parts) frames.emplace_back(part.data(), part.size());
    poll(ZMQ_POLLOUT, kPatienceMs);
    socket_.send(frames);
  }
  bool poll(short events, int ms) {
    zmq_pollitem_t item{socket_.get(), 0, events, 0};
    return zmq_poll(&item, 1, ms) > 0;
  }
  std::vector<Bytes> receive(int ms) {
    std::vector<Bytes> parts;
    if (!poll(ZMQ_POLLIN, ms)) return parts;
    for (gnn::ZmqFrame& frame : socket_.receive()) parts.emplace_back(frame.data(), frame.data() + frame.size());
    return parts;
  }

 private:
  std::shared_ptr<gnn::ZmqContext> context_;
  gnn::ZmqSocket socket_;
};

template <typename T>
void append(Bytes& bytes, const T& value) {
  const auto* from = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof(T));
}

const Bytes kHelloBytes = [] {
  Bytes bytes;
  append(bytes, gnn::kHello);
  return bytes;
}();

// A request as a peer of another version, or of bad will, would make it
Bytes some_request(Source& source) {
  const std::string name = source.one_of<const char*>({"rows", "rows", "lists", "sums", "fixed", "none", ""});
  const bool lists = name == "lists";
  const int64_t row_bytes = lists ? 8 : name == "fixed" ? 5 : kDim * 4;
  const auto count = static_cast<uint64_t>(source.between(0, 30));
  gnn::RequestHeader header{gnn::kRowMagic,
                            static_cast<gnn::RowOp>(lists ? 3 : source.below(4)),
                            source.bits(),
                            source.bits(),
                            1,
                            name == "fixed" ? gnn::RowDtype::kInt8 : gnn::RowDtype::kFloat32,
                            count,
                            static_cast<uint64_t>(row_bytes),
                            static_cast<uint64_t>(kRows),
                            name.size()};
  if (source.chance(30)) {
    const auto odd = static_cast<uint64_t>(source.odd_integer());
    switch (source.below(8)) {
      case 0: header.magic = static_cast<uint32_t>(odd); break;
      case 1: header.op = static_cast<gnn::RowOp>(odd); break;
      case 2: header.rank = static_cast<uint32_t>(odd); break;
      case 3: header.dtype = static_cast<gnn::RowDtype>(odd); break;
      case 4: header.count = odd; break;
      case 5: header.row_bytes = odd; break;
      case 6: header.num_rows = odd; break;
      default: header.name_bytes = odd;
    }
  }
  Bytes bytes;
  append(bytes, header);
  bytes.insert(bytes.end(), name.begin(), name.end());
  for (uint64_t i = 0; i < count; ++i) {
    append(bytes, static_cast<int32_t>(source.chance(97) ? source.below(kRows / 2) : source.odd_integer()));
  }
  if (header.op == gnn::RowOp::kDraw) {
    const auto fanout = static_cast<int32_t>(source.one_of<int64_t>({-1, 0, 2, 50, INT32_MAX, INT32_MIN}));
    append(bytes, gnn::DrawHeader{fanout, static_cast<uint32_t>(source.below(3)), source.bits(),
                                  source.chance(80) ? int64_t{-1} : source.odd_integer()});
  } else if (header.op != gnn::RowOp::kGet) {
    for (uint64_t i = 0; i < count * static_cast<uint64_t>(row_bytes); ++i)
      bytes.push_back(static_cast<uint8_t>(source.bits()));
  }
  if (source.chance(30)) source.mutate(bytes);
  return bytes;
}

class FuzzedServer {
 public:
  FuzzedServer() : tables_(0), service_(tables_.store, options_of({}), [] {}, [] {}), socket_(ZMQ_DEALER) {
    socket_.connect(service_.endpoint());
  }

  void one(Source& source) {
    for (int64_t i = source.between(1, 4); i > 0; --i) {
      std::vector<Bytes> parts{some_request(source)};
      if (source.chance(3)) parts.push_back(some_request(source));
      socket_.send(parts);
    }
    socket_.send({kHelloBytes});
    for (;;) {  // replies to all that, then that to the greeting
      const std::vector<Bytes> reply = socket_.receive(kPatienceMs);
      expect(!reply.empty(), "the server answers no more");
      if (reply.size() == 1 && reply[0] == kHelloBytes) break;
      expect(reply[0].size() >= sizeof(gnn::ReplyHeader), "a reply is too short");
    }
    tables_.store->table("rows")->apply_writes();
    try {
      tables_.store->table("sums")->take_sums();
    } catch (const gnn::Error&) {
      // set where sums are collected
    }
  }

 private:
  Tables tables_;
  gnn::RowService service_;
  Socket socket_;
};

// Strangers at the door of a job with a secret
class FuzzedHandshake {
 public:
  FuzzedHandshake()
      : tables_(0),
        service_(
            tables_.store, options_of(kSecret), [] {}, [] {}),
        key_(std::make_shared<gnn::TlsKey>(kSecret)) {}

  void one(Source& source) {
    if (!socket_ || source.chance(20)) {
      socket_ = std::make_unique<Socket>(ZMQ_DEALER);
      socket_->connect(service_.endpoint());
    }
    gnn::TlsChannel channel(key_, gnn::TlsChannel::End::client);
    channel.shake_hands(nullptr, 0);
    for (int round = 0; round < 3; ++round) {
      Bytes next = channel.take_unsent();
      if (next.empty()) next = some_request(source);
      if (source.chance(40)) source.mutate(next);
      socket_->send({next});
      const std::vector<Bytes> reply = socket_->receive(20);
      if (reply.empty() || channel.is_ready()) break;
      if (!channel.shake_hands(reply[0].data(), reply[0].size())) break;
    }
    if (source.chance(2)) expect_alive();
  }

 private:
  // Who knows the secret is answered, whatever strangers have sent.
  void expect_alive() {
    Tables own(1);
    gnn::RowService peer(own.store, options_of(kSecret), [] {}, [] {});
    Outcome connected;
    peer.connect({service_.endpoint(), ""}, connected.done());
    expect(connected.wait(), "the server lets nobody in any more");
    float rows[2 * kDim];
    const int32_t ids[] = {0, 5};
    Outcome got;
    peer.call({gnn::RowOp::kGet, "rows", ids, 2, reinterpret_cast<uint8_t*>(rows), nullptr,
               std::chrono::milliseconds(kPatienceMs), got.done()});
    expect(got.wait(), "the server answers its peers no more");
  }

  Tables tables_;
  gnn::RowService service_;
  std::shared_ptr<gnn::TlsKey> key_;
  std::unique_ptr<Socket> socket_;
};

// A client whose peer answers what it likes. A peer that breaks the rules is lost for good: then there is another
// client.
class FuzzedClient {
 public:
  FuzzedClient() : peer_(ZMQ_ROUTER), endpoint_(peer_.bind()) {}

  void one(Source& source) {
    if (!service_) join(source);
    if (!service_) return;
    // The buffer has the exact size, so that a row too many is seen.
    const auto count = static_cast<int64_t>(source.between(1, 25));
    std::vector<int32_t> ids(count);
    for (int32_t& id : ids) id = static_cast<int32_t>(source.below(kRows / 2));
    const bool draws = source.chance(40), sets = !draws && source.chance(30);
    std::vector<float> rows(count * kDim);
    auto* bytes = reinterpret_cast<uint8_t*>(rows.data());
    gnn::DrawnLists drawn;
    Outcome outcome;
    const gnn::RowOp op = draws ? gnn::RowOp::kDraw : sets ? gnn::RowOp::kSet : gnn::RowOp::kGet;
    service_->call({op,
                    draws ? "lists" : "rows",
                    ids.data(),
                    count,
                    bytes,
                    bytes,
                    std::chrono::milliseconds(50),
                    outcome.done(),
                    {static_cast<int32_t>(source.between(-1, 3)), false, 1},
                    &drawn});
    while (!outcome.is_done()) {
      const std::vector<Bytes> request = peer_.receive(1);
      if (request.size() == 2) peer_.send({request[0], some_reply(source, request[1])});
    }
    // A call that failed may have lost the peer.
    if (!outcome.wait()) service_.reset();
  }

 private:
  void join(Source& source) {
    tables_ = std::make_unique<Tables>(1);
    service_ = std::make_unique<gnn::RowService>(tables_->store, options_of({}), [] {}, [] {});
    Outcome connected;
    service_->connect({endpoint_, ""}, connected.done());
    const bool polite = source.chance(95);
    while (!connected.is_done()) {
      const std::vector<Bytes> hello = peer_.receive(1);
      if (hello.size() != 2) continue;
      Bytes answer = kHelloBytes;
      if (!polite) source.mutate(answer), answer.push_back(0);
      peer_.send({hello[0], answer});
    }
    if (!connected.wait()) service_.reset();
  }

  static Bytes some_reply(Source& source, const Bytes& request) {
    gnn::RequestHeader asked{};
    if (request.size() < sizeof(asked)) return request;
    std::memcpy(&asked, request.data(), sizeof(asked));
    Bytes reply;
    append(reply, gnn::ReplyHeader{gnn::kRowMagic,
                                   source.chance(95) ? gnn::ReplyStatus::kOk : gnn::ReplyStatus::kRefused, asked.id});
    if (asked.op == gnn::RowOp::kDraw) {
      const auto done = source.chance(70) ? static_cast<int64_t>(asked.count)
                                          : source.between(-1, static_cast<int64_t>(asked.count) + 1);
      append(reply, source.chance(95) ? done : source.odd_integer());
      int64_t entries = 0;
      for (int64_t i = 0; i < done; ++i) {
        const auto of_one = static_cast<int32_t>(source.chance(97) ? source.between(0, 3) : source.odd_integer());
        append(reply, of_one);
        if (of_one > 0 && of_one < 100) entries += of_one;
      }
      for (int64_t i = 0; i < 2 * entries; ++i) append(reply, static_cast<int32_t>(source.below(100)));
    } else if (asked.op == gnn::RowOp::kGet) {
      const uint64_t count = std::min<uint64_t>(asked.count, 1000) * kDim;
      for (uint64_t i = 0; i < count; ++i) append(reply, 0.5f);
    }
    if (source.chance(15)) source.mutate(reply);
    return reply;
  }

  Socket peer_;
  const std::string endpoint_;
  std::unique_ptr<Tables> tables_;  // outlives the service
  std::unique_ptr<gnn::RowService> service_;
};

void one(Source& source) {
  static FuzzedServer server;
  static FuzzedHandshake handshake;
  static FuzzedClient client;
  const int64_t kind = source.below(10);
  if (kind < 5) server.one(source);
  else if (kind < 7) handshake.one(source);
  else client.one(source);
}

}  // namespace

int main(int argc, char** argv) { return fuzz::run(argc, argv, one); }
