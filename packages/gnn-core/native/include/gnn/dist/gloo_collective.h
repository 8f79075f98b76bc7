#pragma once
// All-reduce and barrier between processes, over Gloo's TCP transport. Every call blocks: one thread calls them, in
// order.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gloo {
class Context;
}

namespace gnn {

// Where the ranks exchange their addresses.
class KeyStore {
 public:
  virtual ~KeyStore() = default;
  virtual void set(const std::string& key, const std::vector<char>& bytes) = 0;
  // Waits for the key; throws RANK_TIMEOUT when it does not appear in time.
  virtual std::vector<char> get(const std::string& key, std::chrono::milliseconds timeout) = 0;
};

struct CollectiveOptions {
  int rank;
  int world_size;
  std::string address;  // numeric address of the interface to listen on; no name is ever looked up
  std::chrono::milliseconds timeout;
  int first_port = 0;  // ports to listen on, one for each other rank; 0: any
  int last_port = 0;
};

// Before each operation the ranks exchange what they are about to do: Gloo itself aborts the process or adds up wrong
// memory when they differ. After any error the connections are closed, so that the other ranks learn of it at once,
// and every later call throws the same error.
class GlooCollective {
 public:
  GlooCollective(CollectiveOptions options, std::shared_ptr<KeyStore> store);
  ~GlooCollective();

  // Throws RANK_TIMEOUT when a rank does not appear, RANK_LOST when it goes away meanwhile.
  void connect();
  // In place; the same bits on every rank. Throws RANK_MISMATCH, RANK_LOST, RANK_TIMEOUT.
  void all_reduce_sum(float* values, size_t count);
  void barrier();
  void close();

 private:
  enum class Op : int64_t { kBarrier = 1, kAllReduceSum = 2 };
  struct Header {
    Op op;
    int64_t sequence;
    int64_t count;
    int64_t dtype;

    bool operator==(const Header&) const = default;
  };

  template <typename Work>
  void guarded(const char* what, Work&& work);
  void agree(const Header& mine);
  static std::string describe(const Header& header);

  CollectiveOptions options_;
  std::shared_ptr<KeyStore> store_;
  std::shared_ptr<gloo::Context> context_;
  int64_t sequence_ = 0;
  const char* failed_code_ = nullptr;
  std::string failed_message_;
};

}  // namespace gnn
