#include "tls_channel.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "gnn/error.h"

namespace gnn {
namespace {

constexpr size_t kSecretBytes = 32;
// The secret serves other connections too: this purpose has a key of its own.
constexpr char kPurpose[] = "hopwise-rows";
// Both with SHA-256, to which a pre-shared key is bound.
constexpr char kCiphers[] = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256";
// Header, type and tag of a record; a change of keys is a record of five bytes.
constexpr size_t kRecordOverhead = 5 + 1 + 16;
constexpr size_t kKeyChangeBytes = kRecordOverhead + 5;
// A key may seal 2^24.5 records (RFC 8446, 5.5). Changing it costs microseconds.
constexpr uint64_t kRecordsPerKey = 1024;

const std::vector<uint8_t>* key_of(SSL* ssl) {
  return static_cast<const std::vector<uint8_t>*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0));
}

unsigned give_key(SSL* ssl, unsigned char* psk, unsigned max) {
  const std::vector<uint8_t>* key = key_of(ssl);
  if (key == nullptr || key->size() > max) return 0;
  std::memcpy(psk, key->data(), key->size());
  return static_cast<unsigned>(key->size());
}

unsigned as_client(SSL* ssl, const char*, char* identity, unsigned max_identity, unsigned char* psk, unsigned max) {
  if (max_identity < sizeof(kPurpose)) return 0;
  std::memcpy(identity, kPurpose, sizeof(kPurpose));
  return give_key(ssl, psk, max);
}

unsigned as_server(SSL* ssl, const char* identity, unsigned char* psk, unsigned max) {
  return identity != nullptr && std::strcmp(identity, kPurpose) == 0 ? give_key(ssl, psk, max) : 0;
}

std::string reason() {
  const unsigned long code = ERR_get_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return text == nullptr ? "no reason is known" : text;
}

}  // namespace

// OpenSSL's end of a channel: reads the message at hand, writes where the next one is made.
struct MessageBio {
  static int read(BIO* bio, char* out, size_t size, size_t* done) {
    auto* channel = static_cast<TlsChannel*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    *done = std::min(size, channel->num_unread_);
    if (*done == 0) {
      BIO_set_retry_read(bio);
      return 0;
    }
    std::memcpy(out, channel->in_, *done);
    channel->in_ += *done;
    channel->num_unread_ -= *done;
    return 1;
  }

  static int write(BIO* bio, const char* data, size_t size, size_t* done) {
    auto* channel = static_cast<TlsChannel*>(BIO_get_data(bio));
    const auto* bytes = reinterpret_cast<const uint8_t*>(data);
    *done = size;
    if (channel->out_ == nullptr) {
      channel->unsent_.insert(channel->unsent_.end(), bytes, bytes + size);
      return 1;
    }
    if (size > channel->capacity_ - channel->num_written_) return 0;
    std::memcpy(channel->out_ + channel->num_written_, bytes, size);
    channel->num_written_ += size;
    return 1;
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static BIO_METHOD* method() {
    static BIO_METHOD* const made = [] {
      BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "hopwise message");
      BIO_meth_set_read_ex(method, read);
      BIO_meth_set_write_ex(method, write);
      BIO_meth_set_ctrl(method, control);
      return method;
    }();
    return made;
  }
};

TlsKey::TlsKey(const std::vector<uint8_t>& secret) : settings_(nullptr), key_(EVP_MAX_MD_SIZE) {
  if (secret.size() != kSecretBytes) {
    throw Error("SPEC_INVALID", "The job's secret has " + std::to_string(secret.size()) + " bytes; expected 32.");
  }
  unsigned size = 0;
  const auto* purpose = reinterpret_cast<const uint8_t*>(kPurpose);
  const bool has_key = HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), purpose, sizeof(kPurpose) - 1,
                            key_.data(), &size) != nullptr;
  key_.resize(size);
  settings_ = SSL_CTX_new(TLS_method());
  if (!has_key || settings_ == nullptr || SSL_CTX_set_min_proto_version(settings_, TLS1_3_VERSION) != 1 ||
      SSL_CTX_set_max_proto_version(settings_, TLS1_3_VERSION) != 1 ||
      SSL_CTX_set_ciphersuites(settings_, kCiphers) != 1 || SSL_CTX_set_num_tickets(settings_, 0) != 1 ||
      SSL_CTX_set_ex_data(settings_, 0, &key_) != 1) {
    if (settings_ != nullptr) SSL_CTX_free(settings_);
    throw Error("DEPENDENCY_MISSING", "OpenSSL cannot protect connections between ranks: " + reason() + ".");
  }
  SSL_CTX_set_session_cache_mode(settings_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_psk_client_callback(settings_, as_client);
  SSL_CTX_set_psk_server_callback(settings_, as_server);
}

TlsKey::~TlsKey() { SSL_CTX_free(settings_); }

TlsChannel::TlsChannel(std::shared_ptr<TlsKey> key, End end) : key_(std::move(key)), ssl_(SSL_new(key_->settings_)) {
  BIO* bio = ssl_ == nullptr ? nullptr : BIO_new(MessageBio::method());
  if (bio == nullptr) {
    SSL_free(ssl_);
    throw std::bad_alloc();
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  if (end == End::client) SSL_set_connect_state(ssl_);
  else SSL_set_accept_state(ssl_);
}

TlsChannel::~TlsChannel() { SSL_free(ssl_); }

bool TlsChannel::shake_hands(const void* message, size_t size) {
  begin_opening(message, size);
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_);
  is_ready_ = result == 1;
  // What follows the handshake comes in messages of its own.
  if (is_ready_) return num_unread_ == 0;
  const bool goes_on = SSL_get_error(ssl_, result) == SSL_ERROR_WANT_READ;
  ERR_clear_error();
  return goes_on;
}

size_t TlsChannel::sealed_bytes(size_t bytes) const {
  const size_t num_records = (bytes + kRecordBytes - 1) / kRecordBytes;
  return bytes + num_records * kRecordOverhead + (num_sealed_ >= kRecordsPerKey ? kKeyChangeBytes : 0);
}

void TlsChannel::begin_sealing(uint8_t* out, size_t size) {
  out_ = out;
  capacity_ = size;
  num_written_ = 0;
  if (num_sealed_ < kRecordsPerKey) return;
  num_sealed_ = 0;
  // Sent before the next record.
  if (SSL_key_update(ssl_, SSL_KEY_UPDATE_NOT_REQUESTED) != 1) fail("cannot change its key");
}

void TlsChannel::seal(const void* data, size_t size) {
  size_t done = 0;
  ERR_clear_error();
  if (SSL_write_ex(ssl_, data, size, &done) != 1 || done != size) fail("cannot be encrypted");
  ++num_sealed_;
}

size_t TlsChannel::end_sealing() {
  out_ = nullptr;
  return std::exchange(num_written_, 0);
}

void TlsChannel::begin_opening(const void* message, size_t size) {
  in_ = static_cast<const uint8_t*>(message);
  num_unread_ = size;
}

size_t TlsChannel::open(void* out, size_t size) {
  size_t done = 0;
  ERR_clear_error();
  const int result = SSL_read_ex(ssl_, out, size, &done);
  if (result == 1) return done;
  // Half a record may only be the fault of who sent it.
  if (SSL_get_error(ssl_, result) == SSL_ERROR_WANT_READ && num_unread_ == 0) return 0;
  fail("cannot be decrypted");
}

void TlsChannel::fail(const char* what) {
  throw Error("RANK_LOST", std::string("a message ") + what + ": " + reason());
}

}  // namespace gnn
