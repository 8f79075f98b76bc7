// Sums over the devices of a job's ranks: one group for each process, whose thread that computes joins it.
#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "../arrays.h"
#include "../export_kernel.h"
#include "../promise_worker.h"
#include "device.h"
#include "gnn/device/peer_sums.h"

namespace hopwise {
namespace {

using gnn::device::PeerSums;

// Opened at the first question, and then kept, as the library keeps threads of its own.
std::shared_ptr<PeerSums>& peers() {
  static thread_local auto* const peers = new std::shared_ptr<PeerSums>;
  if (!*peers) *peers = std::make_shared<PeerSums>();
  return *peers;
}

// { name, whyNot }; whyNot is empty where there are sums.
Napi::Value describe(const Napi::CallbackInfo& info) {
  Napi::Object said = Napi::Object::New(info.Env());
  said.Set("name", peers()->name());
  said.Set("whyNot", peers()->why_not());
  return said;
}

Napi::Value make_group(const Napi::CallbackInfo& info) {
  const PeerSums::GroupId id = peers()->make_group();
  auto bytes = Napi::Uint8Array::New(info.Env(), id.size());
  std::copy(id.begin(), id.end(), reinterpret_cast<char*>(bytes.Data()));
  return bytes;
}

struct Done {};

// group, rank, worldSize
Napi::Value join(const Napi::CallbackInfo& info) {
  const auto bytes = info[0].As<Napi::Uint8Array>();
  PeerSums::GroupId group{};
  if (bytes.ElementLength() != group.size()) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH",
                    "A group's id has " + std::to_string(group.size()) + " bytes, this one " +
                        std::to_string(bytes.ElementLength()) + ".");
  }
  std::copy_n(reinterpret_cast<const char*>(bytes.Data()), group.size(), group.begin());
  const int rank = info[1].As<Napi::Number>(), world_size = info[2].As<Napi::Number>();
  return PromiseWorker<Done>::start(
      info.Env(), {},
      [joining = peers(), group, rank, world_size] {
        joining->join(group, rank, world_size);
        return Done{};
      },
      [](Napi::Env env, Done&&) { return env.Undefined(); });
}

Napi::Value add(Arguments& arguments) {
  const int64_t count = arguments.length_of_next();
  peers()->add(stream(), arguments.floats("values", count), count);
  return arguments.env().Undefined();
}

Napi::Value failure(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), peers()->failure()); }
void abort_sums(const Napi::CallbackInfo&) { peers()->abort(); }
void leave(const Napi::CallbackInfo&) { peers()->leave(); }

void init(Napi::Env env, Napi::Object exports) {
  export_function<describe>(env, exports, "describePeers()");
  export_function<make_group>(env, exports, "makePeerGroup()");
  export_function<join>(env, exports, "joinPeers(group: Uint8Array, rank: number, worldSize: number)");
  export_kernel<add>(env, exports, "addOverPeers(values: FloatsHandle)");
  export_function<failure>(env, exports, "failureOfPeers()");
  export_function<abort_sums>(env, exports, "abortPeers()");
  export_function<leave>(env, exports, "leavePeers()");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
