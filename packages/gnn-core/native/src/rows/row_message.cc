#include "row_message.h"

#include <utility>

#include "gnn/error.h"

namespace gnn {

MessageWriter::MessageWriter(TlsChannel* channel, size_t bytes)
    : channel_(channel), frame_(channel ? channel->sealed_bytes(bytes) : bytes), out_(frame_.data()) {
  if (!channel_) return;
  channel_->begin_sealing(frame_.data(), frame_.size());
  buffer_ = std::make_unique_for_overwrite<uint8_t[]>(TlsChannel::kRecordBytes);
}

MessageWriter::~MessageWriter() {
  if (channel_) channel_->end_sealing();
}

MessageWriter::MessageWriter(MessageWriter&& other) noexcept
    : channel_(std::exchange(other.channel_, nullptr)),
      frame_(std::move(other.frame_)),
      out_(other.out_),
      buffer_(std::move(other.buffer_)),
      num_buffered_(other.num_buffered_) {}

void MessageWriter::append(const void* data, size_t size) {
  if (size == 0) return;
  if (!channel_) {
    std::memcpy(out_, data, size);
    out_ += size;
    return;
  }
  const auto* from = static_cast<const uint8_t*>(data);
  while (size > 0) {
    const size_t part = std::min(size, TlsChannel::kRecordBytes - num_buffered_);
    std::memcpy(buffer_.get() + num_buffered_, from, part);
    num_buffered_ += part;
    from += part;
    size -= part;
    if (num_buffered_ == TlsChannel::kRecordBytes) flush();
  }
}

void MessageWriter::flush() {
  channel_->seal(buffer_.get(), num_buffered_);
  num_buffered_ = 0;
}

ZmqFrame MessageWriter::finish() {
  if (channel_ && num_buffered_ > 0) flush();
  const size_t written = channel_ ? channel_->end_sealing() : static_cast<size_t>(out_ - frame_.data());
  if (written != frame_.size()) {
    throw Error("RANK_LOST", "a message of " + std::to_string(frame_.size()) + " bytes came to " +
                                 std::to_string(written) + ".");
  }
  return std::move(frame_);
}

MessageReader::MessageReader(TlsChannel* channel, ZmqFrame& frame)
    : channel_(channel), from_(frame.data()), num_left_(frame.size()) {
  if (!channel_) return;
  channel_->begin_opening(frame.data(), frame.size());
  num_left_ = 0;
  buffer_ = std::make_unique_for_overwrite<uint8_t[]>(TlsChannel::kRecordBytes);
}

bool MessageReader::fill() {
  if (!channel_) return false;
  from_ = buffer_.get();
  num_left_ = channel_->open(buffer_.get(), TlsChannel::kRecordBytes);
  return num_left_ > 0;
}

bool MessageReader::read(void* out, size_t size) {
  auto* to = static_cast<uint8_t*>(out);
  while (size > 0) {
    if (num_left_ == 0 && !fill()) return false;
    const size_t part = std::min(size, num_left_);
    std::memcpy(to, from_, part);
    to += part;
    from_ += part;
    num_left_ -= part;
    size -= part;
  }
  return true;
}

bool MessageReader::is_at_end() { return num_left_ == 0 && !fill(); }

std::string MessageReader::rest() {
  std::string all;
  while (num_left_ > 0 || fill()) {
    all.append(reinterpret_cast<const char*>(from_), num_left_);
    num_left_ = 0;
  }
  return all;
}

}  // namespace gnn
