#include "zmq_socket.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gnn/error.h"

namespace gnn {
namespace {

constexpr size_t kSecretBytes = 32;
constexpr int kHighWaterMark = 1000;
constexpr int kHeartbeatMs = 1000;
// As long as a stall may be (DESIGN: 10 s without progress).
constexpr int kHeartbeatTimeoutMs = 10'000;
constexpr const char* kDomain = "hopwise";

}  // namespace

void throw_zmq_error(const std::string& what) { throw Error("RANK_LOST", what + ": " + zmq_strerror(zmq_errno())); }

JobKeys job_keys(const std::vector<uint8_t>& secret) {
  if (secret.empty()) return {};
  if (secret.size() != kSecretBytes) {
    throw Error("SPEC_INVALID", "The job's secret has " + std::to_string(secret.size()) + " bytes; expected 32.");
  }
  if (zmq_has("curve") != 1) {
    throw Error("DEPENDENCY_MISSING", "libzmq was built without CURVE, so connections cannot be protected; install a "
                                      "libzmq with libsodium.");
  }
  char secret_key[41], public_key[41];
  if (!zmq_z85_encode(secret_key, secret.data(), secret.size()) || zmq_curve_public(public_key, secret_key) != 0) {
    throw_zmq_error("The job's secret gives no key");
  }
  return {public_key, secret_key};
}

ZmqFrame::ZmqFrame(size_t bytes) {
  if (zmq_msg_init_size(&message_, bytes) != 0) throw std::bad_alloc();
}

ZmqFrame::ZmqFrame(const void* data, size_t bytes) : ZmqFrame(bytes) {
  if (bytes > 0) std::memcpy(zmq_msg_data(&message_), data, bytes);
}

ZmqSocket::ZmqSocket(std::shared_ptr<ZmqContext> context, int type)
    : context_(std::move(context)), socket_(zmq_socket(context_->get(), type)) {
  if (socket_ == nullptr) throw_zmq_error("No socket for the row service");
  set(ZMQ_LINGER, 0);
}

ZmqSocket::~ZmqSocket() { zmq_close(socket_); }

void ZmqSocket::set(int option, int value) {
  if (zmq_setsockopt(socket_, option, &value, sizeof(value)) != 0) throw_zmq_error("A socket option was refused");
}

void ZmqSocket::set(int option, const std::string& value) {
  if (zmq_setsockopt(socket_, option, value.data(), value.size()) != 0) throw_zmq_error("A socket option was refused");
}

void ZmqSocket::set_limit(int64_t max_message_bytes) {
  if (zmq_setsockopt(socket_, ZMQ_MAXMSGSIZE, &max_message_bytes, sizeof(max_message_bytes)) != 0) {
    throw_zmq_error("A socket option was refused");
  }
}

void ZmqSocket::set_defaults() {
  set(ZMQ_SNDHWM, kHighWaterMark);
  set(ZMQ_RCVHWM, kHighWaterMark);
  set(ZMQ_HEARTBEAT_IVL, kHeartbeatMs);
  set(ZMQ_HEARTBEAT_TIMEOUT, kHeartbeatTimeoutMs);
  // A rank that went away does not come back: the group restarts from the checkpoint.
  set(ZMQ_RECONNECT_IVL, -1);
}

void ZmqSocket::protect_as_server(const JobKeys& keys) {
  if (keys.empty()) return;
  set(ZMQ_CURVE_SERVER, 1);
  set(ZMQ_CURVE_SECRETKEY, keys.secret_key);
  set(ZMQ_ZAP_DOMAIN, std::string(kDomain));
}

void ZmqSocket::protect_as_client(const JobKeys& keys) {
  if (keys.empty()) return;
  set(ZMQ_CURVE_SERVERKEY, keys.public_key);
  set(ZMQ_CURVE_PUBLICKEY, keys.public_key);
  set(ZMQ_CURVE_SECRETKEY, keys.secret_key);
}

std::vector<ZmqFrame> ZmqSocket::receive() {
  std::vector<ZmqFrame> frames;
  do {
    ZmqFrame frame;
    if (zmq_msg_recv(frame.raw(), socket_, ZMQ_DONTWAIT) < 0) return {};
    frames.push_back(std::move(frame));
  } while (frames.back().has_more());
  return frames;
}

bool ZmqSocket::send(std::vector<ZmqFrame>& frames) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const int flags = ZMQ_DONTWAIT | (i + 1 < frames.size() ? ZMQ_SNDMORE : 0);
    // Parts after an accepted first one are accepted too.
    if (zmq_msg_send(frames[i].raw(), socket_, flags) < 0) return false;
  }
  return true;
}

WakeUp::WakeUp() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0) throw Error("RANK_LOST", std::string("No event for the row service: ") + std::strerror(errno));
}

WakeUp::~WakeUp() { close(descriptor_); }

void WakeUp::signal() {
  const uint64_t one = 1;
  // Full counters are as good as one: the thread wakes.
  if (write(descriptor_, &one, sizeof(one)) < 0) return;
}

void WakeUp::clear() {
  uint64_t count;
  if (read(descriptor_, &count, sizeof(count)) < 0) return;
}

}  // namespace gnn
