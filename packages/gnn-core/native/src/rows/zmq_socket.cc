#include "zmq_socket.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gnn/error.h"

namespace gnn {
namespace {

// Several times what a rank has under way; strangers, who keep to no window, fill no more memory than this.
constexpr int kHighWaterMark = 64;
constexpr int kHeartbeatMs = 1000;
// As long as a stall may be (DESIGN: 10 s without progress).
constexpr int kHeartbeatTimeoutMs = 10'000;

}  // namespace

void throw_zmq_error(const std::string& what) { throw Error("RANK_LOST", what + ": " + zmq_strerror(zmq_errno())); }

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
