#pragma once
// Sums over the devices of several processes by NCCL, which is opened at run time. Where it is not there, callers carry
// what is to be added up through the host's memory.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gnn/device/stream.h"

namespace gnn::device {

class Nccl;

class PeerSums {
 public:
  // What the members of a group must have in common; one of them makes it, and tells the others.
  using GroupId = std::array<char, 128>;

  // The library's own name by default.
  explicit PeerSums(const std::vector<std::string>& libraries = {"libnccl.so.2"});
  ~PeerSums();
  PeerSums(const PeerSums&) = delete;
  PeerSums& operator=(const PeerSums&) = delete;

  // Why there are none; empty when there are.
  const std::string& why_not() const { return why_not_; }
  // "NCCL 2.27.3"
  const std::string& name() const { return name_; }

  // Throws DEVICE_NOT_AVAILABLE when the library fails.
  GroupId make_group() const;
  // Returns when all members have called it, each with the device that its process computes on. Throws
  // DEVICE_NOT_AVAILABLE when the library cannot connect them, as for two ranks on one device.
  void join(const GroupId& group, int rank, int world_size);
  // Enqueues values[i] = the sum of all members' values[i], the same bits everywhere. All members enqueue the same sums
  // in the same order. Throws RANK_LOST when the group is known to have failed.
  void add(Stream& stream, float* values, int64_t count);
  // What has gone wrong between the members since they joined; empty: nothing is known.
  std::string failure() const;
  // Ends sums that wait for a member that is lost, with undefined values.
  void abort();
  // After the stream's last sum.
  void leave();

 private:
  void check(int result, const char* code, const char* call) const;

  std::unique_ptr<Nccl> library_;
  void* group_ = nullptr;
  std::string why_not_, name_;
};

}  // namespace gnn::device
