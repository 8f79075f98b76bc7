#include "gnn/device/peer_sums.h"

#include "gnn/device/counters.h"
#include "gnn/error.h"
#include "nccl.h"

namespace gnn::device {

PeerSums::PeerSums(const std::vector<std::string>& libraries)
    : library_(std::make_unique<Nccl>(libraries)), why_not_(library_->why()) {
  if (!why_not_.empty()) return;
  int version = 0;  // 10000 major + 100 minor + patch, as of 2.9
  if (library_->version(&version) != nccl::kSuccess) {
    why_not_ = "ncclGetVersion failed";
    return;
  }
  name_ = "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
          std::to_string(version % 100);
}

PeerSums::~PeerSums() = default;

PeerSums::GroupId PeerSums::make_group() const {
  nccl::UniqueId id{};
  check(library_->make_id(&id), "DEVICE_NOT_AVAILABLE", "ncclGetUniqueId");
  return id.bytes;
}

void PeerSums::join(const GroupId& group, int rank, int world_size) {
  nccl::Communicator joined = nullptr;
  check(library_->join(&joined, world_size, {group}, rank), "DEVICE_NOT_AVAILABLE", "ncclCommInitRank");
  group_ = joined;
}

void PeerSums::add(Stream& stream, float* values, int64_t count) {
  if (group_ == nullptr) throw Error("RANK_LOST", "This rank's device belongs to no group.");
  note(Counted::kLaunch);
  check(library_->all_reduce(values, values, static_cast<size_t>(count), nccl::kFloat32, nccl::kSum, group_,
                             stream.state()),
        "RANK_LOST", "ncclAllReduce");
}

std::string PeerSums::failure() const {
  if (group_ == nullptr) return "";
  int found = nccl::kSuccess;
  const int result = library_->async_error(group_, &found);
  const int bad = result != nccl::kSuccess ? result : found;
  return bad == nccl::kSuccess || bad == nccl::kInProgress ? "" : library_->text(bad);
}

void PeerSums::abort() {
  if (group_ != nullptr) library_->abort(group_);
  group_ = nullptr;
}

void PeerSums::leave() {
  if (group_ != nullptr) library_->leave(group_);
  group_ = nullptr;
}

void PeerSums::check(int result, const char* code, const char* call) const {
  if (result == nccl::kSuccess || result == nccl::kInProgress) return;
  throw Error(code, name_ + " failed: " + library_->text(result) + " (" + call + ").");
}

}  // namespace gnn::device
