#include "gnn/dist/gloo_collective.h"

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>

#include "gnn/error.h"
#include "ports_device.h"

namespace gnn {
namespace {

constexpr int64_t kFloat32 = 1;

class StoreAdapter : public gloo::rendezvous::Store {
 public:
  StoreAdapter(KeyStore& store, std::chrono::milliseconds timeout) : store_(store), timeout_(timeout) {}

  void set(const std::string& key, const std::vector<char>& data) override { store_.set(key, data); }
  std::vector<char> get(const std::string& key) override { return store_.get(key, timeout_); }
  void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
    for (const std::string& key : keys) store_.get(key, timeout);
  }

 private:
  KeyStore& store_;
  std::chrono::milliseconds timeout_;  // Gloo asks for some keys without one, and would then wait 30 s
};

bool is_timeout(const std::string& message) { return message.find("imed out") != std::string::npos; }

}  // namespace

GlooCollective::GlooCollective(CollectiveOptions options, std::shared_ptr<KeyStore> store)
    : options_(std::move(options)), store_(std::move(store)) {}

GlooCollective::~GlooCollective() = default;

void GlooCollective::connect() {
  guarded("connect", [&] {
    gloo::transport::tcp::attr attributes;
    attributes.hostname = options_.address;
    auto device = options_.first_port == 0
                      ? gloo::transport::tcp::CreateDevice(attributes)
                      : make_ports_device(attributes, {options_.first_port, options_.last_port}, options_.rank);
    auto context = std::make_shared<gloo::rendezvous::Context>(options_.rank, options_.world_size);
    context->setTimeout(options_.timeout);
    StoreAdapter store(*store_, options_.timeout);
    context->connectFullMesh(store, device);
    context_ = std::move(context);
  });
}

void GlooCollective::all_reduce_sum(float* values, size_t count) {
  guarded("allReduceSum", [&] {
    agree({Op::kAllReduceSum, sequence_++, static_cast<int64_t>(count), kFloat32});
    if (count == 0) return;
    gloo::AllreduceOptions options(context_);
    options.setOutput(values, count);
    options.setReduceFunction(
        static_cast<void (*)(void*, const void*, const void*, size_t)>(&gloo::sum<float>));
    options.setTimeout(options_.timeout);
    gloo::allreduce(options);
  });
}

// Nobody has every header before everybody has sent one: agreeing is the barrier.
void GlooCollective::barrier() {
  guarded("barrier", [&] { agree({Op::kBarrier, sequence_++, 0, 0}); });
}

void GlooCollective::close() {
  failed_code_ = "RANK_LOST";
  failed_message_ = "Rank " + std::to_string(options_.rank) + "'s collective is closed.";
  if (context_) context_->closeConnections();
}

void GlooCollective::agree(const Header& mine) {
  Header sent = mine;
  std::vector<Header> all(options_.world_size);
  gloo::AllgatherOptions options(context_);
  options.setInput(reinterpret_cast<char*>(&sent), sizeof(Header));
  options.setOutput(reinterpret_cast<char*>(all.data()), all.size() * sizeof(Header));
  options.setTimeout(options_.timeout);
  gloo::allgather(options);
  for (int rank = 0; rank < options_.world_size; ++rank) {
    const Header& other = all[rank];
    if (other == mine) continue;
    throw Error("RANK_MISMATCH", "Rank " + std::to_string(options_.rank) + " is at " + describe(mine) + ", rank " +
                                     std::to_string(rank) + " at " + describe(other) +
                                     "; every rank must issue the same operations in the same order.");
  }
}

std::string GlooCollective::describe(const Header& header) {
  const std::string at = " (operation " + std::to_string(header.sequence) + ")";
  if (header.op == Op::kBarrier) return "barrier" + at;
  return "allReduceSum of " + std::to_string(header.count) + " float32" + at;
}

template <typename Work>
void GlooCollective::guarded(const char* what, Work&& work) {
  if (failed_code_) throw Error(failed_code_, failed_message_);
  const std::string where = "Rank " + std::to_string(options_.rank) + ", " + what + ": ";
  try {
    work();
    return;
  } catch (const Error& error) {
    failed_code_ = error.code();
    failed_message_ = error.what();
  } catch (const std::exception& error) {
    failed_message_ = where + error.what();
    failed_code_ = is_timeout(failed_message_) ? "RANK_TIMEOUT" : "RANK_LOST";
  }
  if (context_) context_->closeConnections();
  throw Error(failed_code_, failed_message_);
}

}  // namespace gnn
