#pragma once
// TLS 1.3 with a pre-shared key over whole messages instead of a stream of bytes: what ZeroMQ carries between the ranks
// of a job. Both ends prove the job's secret in the handshake; keys are ephemeral, so a secret found later opens
// nothing that was sent before. Messages arrive whole, once and in order, or the channel fails: records are numbered.
//
// OpenSSL is the library's own copy, whose symbols nobody else sees. A channel is used by one thread.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

struct ssl_st;
struct ssl_ctx_st;

namespace gnn {

// The key of a job's connections, from its secret.
class TlsKey {
 public:
  // Throws SPEC_INVALID unless the secret has 32 bytes, DEPENDENCY_MISSING when OpenSSL cannot do what is needed.
  explicit TlsKey(const std::vector<uint8_t>& secret);
  ~TlsKey();
  TlsKey(const TlsKey&) = delete;
  TlsKey& operator=(const TlsKey&) = delete;

 private:
  friend class TlsChannel;
  ssl_ctx_st* settings_;
  std::vector<uint8_t> key_;
};

class TlsChannel {
 public:
  enum class End { client, server };

  TlsChannel(std::shared_ptr<TlsKey> key, End end);
  ~TlsChannel();
  TlsChannel(const TlsChannel&) = delete;
  TlsChannel& operator=(const TlsChannel&) = delete;

  // Takes the handshake on by a message of the other end; of none, begins it. False when it has failed, for good.
  bool shake_hands(const void* message, size_t size);
  bool is_ready() const { return is_ready_; }

  // A message of `bytes` has this size when sealed next.
  size_t sealed_bytes(size_t bytes) const;
  // What the other end has to be sent beside messages, mostly nothing: the handshake, or why the channel has failed.
  std::vector<uint8_t> take_unsent() { return std::exchange(unsent_, {}); }

  // A message is sealed, and one opened, whole before the next. @param out [sealed_bytes(bytes)]
  void begin_sealing(uint8_t* out, size_t size);
  void seal(const void* data, size_t size);  // at most kRecordBytes: a record
  // @returns bytes written since begin_sealing
  size_t end_sealing();

  void begin_opening(const void* message, size_t size);
  // The next bytes of the message, at most a record's; 0 at its end. Throws RANK_LOST for what was tampered with,
  // repeated, left out or written by somebody else.
  size_t open(void* out, size_t size);

  static constexpr size_t kRecordBytes = size_t{1} << 14;

 private:
  friend struct MessageBio;
  [[noreturn]] void fail(const char* what);

  std::shared_ptr<TlsKey> key_;
  ssl_st* ssl_ = nullptr;
  bool is_ready_ = false;
  uint64_t num_sealed_ = 0;  // records since the last change of keys
  const uint8_t* in_ = nullptr;
  size_t num_unread_ = 0;
  uint8_t* out_ = nullptr;
  size_t capacity_ = 0;
  size_t num_written_ = 0;
  std::vector<uint8_t> unsent_;
};

}  // namespace gnn
