#pragma once
// Answers other ranks' requests for this rank's rows, on a thread of its own.
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "gnn/rows/row_service.h"
#include "row_message.h"
#include "row_wire.h"
#include "tls_channel.h"
#include "zmq_socket.h"

namespace gnn {

class RowServer {
 public:
  // Binds. Throws RANK_LOST.
  RowServer(std::shared_ptr<ZmqContext> context, std::shared_ptr<RowStore> store, const RowServiceOptions& options,
            std::shared_ptr<TlsKey> key);
  // Stops, and waits for the thread.
  ~RowServer();

  const std::string& endpoint() const { return endpoint_; }
  void start(std::function<void()> ended);
  void stop();
  uint64_t served_rows() const { return served_rows_; }
  uint64_t served_lists() const { return served_lists_; }
  uint64_t served_entries() const { return served_entries_; }
  uint64_t served_bytes() const { return served_bytes_; }

 private:
  void bind(const RowServiceOptions& options);
  void work();
  // False when there is no message to answer.
  bool answer();
  // What is sent back to who asks; null: nothing.
  std::optional<ZmqFrame> answer_sealed(const std::string& who, ZmqFrame& message);
  TlsChannel& channel_of(const std::string& who);
  ZmqFrame reply_to(TlsChannel* channel, ZmqFrame& message);
  ZmqFrame perform(TlsChannel* channel, const RequestHeader& header, MessageReader& request);
  ZmqFrame draw(TlsChannel* channel, const RequestHeader& header, const std::string& name, MessageReader& request);

  std::shared_ptr<RowStore> store_;
  std::shared_ptr<TlsKey> key_;
  std::unique_ptr<ZmqSocket> router_;
  WakeUp wake_;
  std::string endpoint_;
  std::atomic<bool> stopping_{false};
  std::atomic<uint64_t> served_rows_{0};
  std::atomic<uint64_t> served_lists_{0};
  std::atomic<uint64_t> served_entries_{0};
  std::atomic<uint64_t> served_bytes_{0};

  // Server thread only: the other ends, by the names that the router gives them
  std::unordered_map<std::string, TlsChannel> channels_;
  std::deque<std::string> strangers_;  // still in the handshake, oldest first

  std::thread thread_;
};

}  // namespace gnn
