#pragma once
// Answers other ranks' requests for this rank's rows, on a thread of its own.
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gnn/rows/row_service.h"
#include "row_wire.h"
#include "zmq_socket.h"

namespace gnn {

class RowServer {
 public:
  // Binds. Throws RANK_LOST.
  RowServer(std::shared_ptr<ZmqContext> context, std::shared_ptr<RowStore> store, const RowServiceOptions& options,
            const JobKeys& keys);
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
  // Who may connect: asked by libzmq for every new connection (ZeroMQ RFC 27).
  void authenticate();
  void answer();
  std::vector<ZmqFrame> reply_to(std::vector<ZmqFrame>& frames);
  ZmqFrame perform(const RequestHeader& header, std::vector<ZmqFrame>& frames);
  ZmqFrame draw(const RequestHeader& header, const std::string& name, std::vector<ZmqFrame>& frames);

  std::shared_ptr<RowStore> store_;
  JobKeys keys_;
  // Before the router: libzmq must find the authenticator when the first peer comes.
  std::unique_ptr<ZmqSocket> authenticator_;
  std::unique_ptr<ZmqSocket> router_;
  WakeUp wake_;
  std::string endpoint_;
  std::atomic<bool> stopping_{false};
  std::atomic<uint64_t> served_rows_{0};
  std::atomic<uint64_t> served_lists_{0};
  std::atomic<uint64_t> served_entries_{0};
  std::atomic<uint64_t> served_bytes_{0};
  std::thread thread_;
};

}  // namespace gnn
