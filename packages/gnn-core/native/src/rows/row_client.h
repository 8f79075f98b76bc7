#pragma once
// Asks other ranks for rows, on a thread of its own: it orders each call, answers what is local, sends the rest in
// chunks to their owners and puts the replies in place. Calls are in row_calls.cc; the thread, its peers and deadlines
// in row_client.cc.
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "gnn/rows/list_batch.h"
#include "gnn/rows/row_batch.h"
#include "gnn/rows/row_service.h"
#include "row_message.h"
#include "row_wire.h"
#include "tls_channel.h"
#include "zmq_socket.h"

namespace gnn {

class RowClient {
 public:
  // @param key null: connections are in the clear
  RowClient(std::shared_ptr<ZmqContext> context, std::shared_ptr<RowStore> store, std::shared_ptr<TlsKey> key,
            std::chrono::milliseconds connect_timeout);
  // Stops, and waits for the thread.
  ~RowClient();

  void start(std::function<void()> ended);
  void stop();
  // From any thread.
  void connect(std::vector<std::string> endpoints, std::function<void(const Error*)> done);
  void call(RowCall call);
  RowCounters counters() const;

 private:
  using Clock = std::chrono::steady_clock;

  // A call under way
  struct Pending {
    RowCall call;
    std::shared_ptr<RowTable> table;   // of rows
    std::shared_ptr<ListTable> lists;  // of kDraw
    std::vector<DrawnRange> drawn;
    RowPlan plan;
    std::vector<uint8_t> rows;  // of a write, one per distinct id
    Clock::time_point deadline;
    int64_t num_waiting = 0;  // chunks without a reply
    bool is_settled = false;
  };

  // A range of a call's distinct ids, all of one owner
  struct Chunk {
    std::shared_ptr<Pending> pending;
    uint64_t id;
    uint64_t sequence;
    int64_t begin;
    int64_t end;
  };

  struct Peer {
    std::unique_ptr<ZmqSocket> socket;
    std::unique_ptr<ZmqSocket> monitor;
    std::unique_ptr<TlsChannel> channel;  // null: in the clear
    bool is_ready = false;
    std::optional<ZmqFrame> unsent;  // sealed, so it goes before any other
    std::optional<Error> lost;
    std::deque<Chunk> waiting;
    std::unordered_map<uint64_t, Chunk> sent;
  };

  struct Connecting {
    std::function<void(const Error*)> done;
    Clock::time_point deadline;
  };

  void work();
  void poll();
  void run_queue();
  void open_peers(const std::vector<std::string>& endpoints, std::function<void(const Error*)> done);
  void begin(RowCall call);
  void plan(Pending& pending);
  int64_t step_of(const Pending& pending) const;
  void serve_local(Pending& pending, int64_t begin, int64_t end);
  void draw_local(Pending& pending, int64_t begin, int64_t end);
  void send_waiting(Peer& peer);
  ZmqFrame request_for(const Chunk& chunk, TlsChannel* channel) const;
  bool send(Peer& peer);
  void greet(int rank, Peer& peer, ZmqFrame* answer);
  void receive_replies(int rank, Peer& peer);
  void take_message(int rank, Peer& peer, ZmqFrame& message);
  void take_reply(int rank, const Chunk& chunk, const ReplyHeader& header, MessageReader& reply);
  // False for a reply that cannot be.
  bool take_rows(Pending& pending, const Chunk& chunk, MessageReader& reply);
  // False for a reply that cannot be; asks again for what the owner left out.
  bool take_lists(int rank, const Chunk& chunk, MessageReader& reply);
  void finish(Pending& pending);
  void watch(int rank, Peer& peer);
  void lose(int rank, Peer& peer, const std::string& why);
  void settle(Pending& pending, const Error* error);
  void settle_connecting();
  void expire();
  int poll_timeout_ms() const;
  std::string describe(const Pending& pending) const;

  std::shared_ptr<ZmqContext> context_;
  std::shared_ptr<RowStore> store_;
  std::shared_ptr<TlsKey> key_;
  std::chrono::milliseconds connect_timeout_;
  WakeUp wake_;
  std::mutex queue_mutex_;
  std::deque<std::function<void()>> queue_;  // for the client thread
  std::atomic<bool> stopping_{false};
  std::atomic<uint64_t> requested_rows_{0};
  std::atomic<uint64_t> local_rows_{0};
  std::atomic<uint64_t> remote_rows_{0};
  std::atomic<uint64_t> remote_lists_{0};
  std::atomic<uint64_t> remote_entries_{0};
  std::atomic<uint64_t> remote_bytes_{0};

  // Client thread only
  std::vector<Peer> peers_;
  std::vector<std::shared_ptr<Pending>> pending_;
  std::optional<Connecting> connecting_;
  uint64_t next_id_ = 1;
  uint64_t next_sequence_ = 1;

  std::thread thread_;
};

}  // namespace gnn
