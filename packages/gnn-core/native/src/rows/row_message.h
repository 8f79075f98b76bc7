#pragma once
// One message between row services, written and read front to back through a buffer that stays in the processor's
// cache: with a channel it is sealed and opened on the way, without one its bytes are copied.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "tls_channel.h"
#include "zmq_socket.h"

namespace gnn {

class MessageWriter {
 public:
  // @param channel null: in the clear. @param bytes how many will be appended
  MessageWriter(TlsChannel* channel, size_t bytes);
  ~MessageWriter();
  MessageWriter(MessageWriter&& other) noexcept;
  // Throws RANK_LOST when the channel has failed.
  void append(const void* data, size_t size);
  ZmqFrame finish();

 private:
  void flush();

  TlsChannel* channel_;
  ZmqFrame frame_;
  uint8_t* out_;  // in the clear
  std::unique_ptr<uint8_t[]> buffer_;
  size_t num_buffered_ = 0;
};

class MessageReader {
 public:
  // Borrows the frame. Of a channel all messages must be read, in their order, each to its end.
  MessageReader(TlsChannel* channel, ZmqFrame& frame);
  // False when the message has fewer bytes left. Throws RANK_LOST when it is not what the other end sealed.
  bool read(void* out, size_t size);
  bool is_at_end();
  std::string rest();

 private:
  bool fill();

  TlsChannel* channel_;
  std::unique_ptr<uint8_t[]> buffer_;
  const uint8_t* from_;
  size_t num_left_;
};

}  // namespace gnn
