#include "device.h"

#include <algorithm>
#include <string_view>

#include "gnn/cuda/sampling/reverse_edges.h"

namespace hopwise {
namespace {

// Uploads that may be under way before the next one waits: those of some steps.
constexpr int kStagingSlots = 64;
constexpr size_t kStagingBytes = size_t{1} << 18;

constexpr int64_t kElementBytes = 4;

void note_range(const int32_t* values, DeviceArray& array) {
  if (array.count == 0) return;
  const auto [lowest, highest] = std::minmax_element(values, values + array.count);
  array.lowest = *lowest;
  array.highest = *highest;
  array.last = values[array.count - 1];
  array.is_ascending_from_zero = values[0] == 0 && std::is_sorted(values, values + array.count);
}

// The stream of kernels waits for the copy, the host does not.
void upload(const void* values, DeviceArray& array) {
  gnn::device::Stream& copies = device().copies;
  device().staging.upload(array.data, values, static_cast<size_t>(array.count * kElementBytes), copies);
  const gnn::device::Event arrived;
  copies.record(arrived);
  stream().wait(arrived);
}

// Integers that a kernel is going to write, none above `highest`.
std::shared_ptr<DeviceArray> made_ints(int64_t count, int64_t highest) {
  auto array = std::make_shared<DeviceArray>(DeviceObject::Kind::kInts, count);
  array->highest = static_cast<int32_t>(highest);
  return array;
}

}  // namespace

Device::Device() : staging(kStagingSlots, kStagingBytes) {
  // What cuBLASLt multiplied would be memory of the emulation, which no GPU can read.
  if (std::string_view(gnn::device::driver::name()) == "emulation") return;
  products = std::make_unique<gnn::device::Products>();
  if (products->why_not().empty()) gnn::device::set_products(products.get());
}

Device& device() {
  static thread_local Device* const device = new Device;
  return *device;
}

DeviceArray::DeviceArray(Kind kind, int64_t count, gnn::device::Stream& owner)
    : DeviceObject(kind), count(count) {
  auto made = std::make_shared<gnn::device::Array<unsigned char>>(owner, count * kElementBytes);
  if (&owner != &stream()) made->used_by(stream());
  data = made->data();
  memory = std::move(made);
}

DeviceArray::DeviceArray(const DeviceArray& whole, int64_t begin, int64_t end)
    : DeviceObject(whole.kind),
      memory(whole.memory),
      data(static_cast<char*>(whole.data) + begin * kElementBytes),
      count(end - begin) {}

void DeviceBlock::reverse() {
  if (reverse_edges) return;
  reverse_indptr = made_ints(view.num_src + 1, view.num_edges);
  reverse_indices = made_ints(view.num_edges, view.num_dst - 1);
  reverse_edges = made_ints(view.num_edges, view.num_edges - 1);
  gnn::cuda::reverse_edges(
      stream(), view, {reverse_indptr->as<int32_t>(), reverse_indices->as<int32_t>(), reverse_edges->as<int32_t>()});
  view.reverse_indptr = reverse_indptr->as<int32_t>();
  view.reverse_indices = reverse_indices->as<int32_t>();
}

Napi::Value handle_to(Napi::Env env, DeviceObject* object) {
  return Napi::External<DeviceObject>::New(env, object, [](Napi::Env, DeviceObject* owned) { delete owned; });
}

std::shared_ptr<DeviceArray> uploaded(const int32_t* values, int64_t count) {
  auto array = std::make_shared<DeviceArray>(DeviceObject::Kind::kInts, count, device().copies);
  note_range(values, *array);
  upload(values, *array);
  return array;
}

std::shared_ptr<DeviceArray> uploaded(const float* values, int64_t count) {
  auto array = std::make_shared<DeviceArray>(DeviceObject::Kind::kFloats, count, device().copies);
  upload(values, *array);
  return array;
}

}  // namespace hopwise
