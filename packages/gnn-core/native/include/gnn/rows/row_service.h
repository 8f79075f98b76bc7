#pragma once
// Rows of other processes by id, over ZeroMQ: a server thread answers for this rank's RowStore, a client thread asks
// the other ranks. The caller's thread only queues.
//
// Every call has a deadline. A rank whose connection closes is lost: calls that wait for it, and later ones, fail at
// once. Connections are encrypted and authenticated with TLS: only who knows the job's secret is answered.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gnn/error.h"
#include "gnn/rows/row_table.h"

namespace gnn {

struct RowServiceOptions {
  std::string address;  // numeric address of the interface to listen on; no name is ever looked up
  int first_port;       // the first free one of [first_port, last_port]; 0: any free port
  int last_port;
  std::vector<uint8_t>
      secret;  // 32 bytes, the same on all ranks of the job; empty: neither encrypted nor authenticated
  std::chrono::milliseconds timeout;
};

// Since the start. Bytes are those of rows and ids, without framing.
struct RowCounters {
  uint64_t requested_rows = 0;  // as the caller named them
  uint64_t local_rows = 0;      // distinct rows of each call in this process
  uint64_t remote_rows = 0;     // distinct rows of each call that another rank sent or got
  uint64_t remote_bytes = 0;
  uint64_t served_rows = 0;  // for other ranks
  // Distinct lists of each call that another rank drew from, and what it drew; the bytes are among those of rows
  uint64_t remote_lists = 0;
  uint64_t remote_entries = 0;
  uint64_t served_lists = 0;
  uint64_t served_entries = 0;
  uint64_t served_bytes = 0;
};

// One batch. Memory belongs to the caller and must stay as it is until `done`.
struct RowCall {
  RowOp op;
  std::string table;
  const int32_t* ids;
  int64_t count;
  uint8_t* out;         // kGet: [count] rows
  const uint8_t* rows;  // kSet, kAdd: [count] rows
  std::chrono::milliseconds timeout;
  // From the client thread; null: it went well.
  std::function<void(const Error*)> done;
  ListDraw draw = {};           // kDraw: from the lists of that name
  DrawnLists* lists = nullptr;  // kDraw: in the order of ids
};

class RowClient;
class RowServer;

class RowService {
 public:
  // Listens from here on. Throws RANK_LOST when it cannot, SPEC_INVALID for an address of every interface or a secret
  // of another length, DEPENDENCY_MISSING when OpenSSL can set up no TLS 1.3. `server_ended` and `client_ended` are
  // called by the two threads as their last act.
  RowService(std::shared_ptr<RowStore> store, const RowServiceOptions& options, std::function<void()> server_ended,
             std::function<void()> client_ended);
  // Waits for both threads: after it nobody touches the rows.
  ~RowService();

  // "tcp://address:port", for the other ranks
  const std::string& endpoint() const { return endpoint_; }

  // Connects with the others, endpoints by rank. `done` with RANK_TIMEOUT when one does not answer in time, RANK_LOST
  // when one refuses.
  void connect(std::vector<std::string> endpoints, std::function<void(const Error*)> done);
  void call(RowCall call);
  RowCounters counters() const;
  // Fails what is pending with RANK_LOST and ends both threads, without waiting for them.
  void close();

 private:
  std::unique_ptr<RowServer> server_;
  std::unique_ptr<RowClient> client_;
  std::string endpoint_;
};

// A call among stores of one process. Throws what a call may fail with.
struct RowGroupCall {
  RowOp op;
  int rank;           // who calls
  uint64_t sequence;  // ascending per rank
  std::string table;
  const int32_t* ids;
  int64_t count;
  uint8_t* out;
  const uint8_t* rows;
  ListDraw draw = {};
  DrawnLists* lists = nullptr;
};
void call_in_process(const std::vector<std::shared_ptr<RowStore>>& stores, const RowGroupCall& call,
                     RowCounters& counters);

}  // namespace gnn
