#pragma once
// RAII over libzmq's C interface, and the one place that sets a socket's limits and heartbeats.
#include <zmq.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gnn {

class ZmqContext {
 public:
  ZmqContext() : context_(zmq_ctx_new()) {}
  // Returns once every socket is closed; ours linger for nothing.
  ~ZmqContext() { zmq_ctx_term(context_); }
  ZmqContext(const ZmqContext&) = delete;
  ZmqContext& operator=(const ZmqContext&) = delete;
  void* get() const { return context_; }

 private:
  void* context_;
};

// A message part that frees itself.
class ZmqFrame {
 public:
  ZmqFrame() { zmq_msg_init(&message_); }
  explicit ZmqFrame(size_t bytes);
  ZmqFrame(const void* data, size_t bytes);
  ~ZmqFrame() { zmq_msg_close(&message_); }
  ZmqFrame(ZmqFrame&& other) noexcept : ZmqFrame() { zmq_msg_move(&message_, &other.message_); }
  ZmqFrame& operator=(ZmqFrame&& other) noexcept {
    zmq_msg_move(&message_, &other.message_);
    return *this;
  }

  uint8_t* data() { return static_cast<uint8_t*>(zmq_msg_data(&message_)); }
  size_t size() { return zmq_msg_size(&message_); }
  bool has_more() { return zmq_msg_more(&message_) != 0; }
  zmq_msg_t* raw() { return &message_; }

 private:
  zmq_msg_t message_;
};

class ZmqSocket {
 public:
  // Keeps its context alive. Throws RANK_LOST when the process has no sockets left.
  ZmqSocket(std::shared_ptr<ZmqContext> context, int type);
  ~ZmqSocket();
  ZmqSocket(const ZmqSocket&) = delete;
  ZmqSocket& operator=(const ZmqSocket&) = delete;

  void* get() const { return socket_; }
  void set(int option, int value);
  void set_limit(int64_t max_message_bytes);
  // Notices a silent peer, keeps queues bounded, never holds up an exit.
  void set_defaults();

  // All parts of the next message, or none when there is nothing to read.
  std::vector<ZmqFrame> receive();
  // All parts or none: false when the queue is full or there is nobody to send to.
  bool send(std::vector<ZmqFrame>& frames);

 private:
  std::shared_ptr<ZmqContext> context_;
  void* socket_;
};

// Wakes a thread that polls; from any thread.
class WakeUp {
 public:
  WakeUp();
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  void signal();
  void clear();
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void throw_zmq_error(const std::string& what);

}  // namespace gnn
