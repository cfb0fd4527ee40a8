#include "sightline/window.hpp"

#include <algorithm>
#include <cstring>

namespace sightline {

namespace {
constexpr size_t kKeptBytes = 8 << 20;
}

void Window::reset(Source& source) {
    source_ = &source;
    file_size_ = source.size();
    has_failed_ = false;
    begin_ = 0;
    filled_ = 0;
}

bool Window::load(uint64_t offset, size_t size) {
    if (available(offset) >= size) return true;
    if (offset > file_size_ || size > file_size_ - offset) return false;

    const size_t kept = available(offset);
    const size_t wanted = std::max(size, kBlockBytes);
    // One giant record must not make the buffer giant for good.
    if (wanted > capacity_ || (capacity_ > kKeptBytes && wanted <= kBlockBytes)) {
        std::unique_ptr<uint8_t[]> fresh(new uint8_t[wanted]);
        if (kept > 0) std::memcpy(fresh.get(), at(offset), kept);
        buffer_ = std::move(fresh);
        capacity_ = wanted;
    } else if (kept > 0) {
        std::memmove(buffer_.get(), at(offset), kept);
    }
    begin_ = offset;
    filled_ = kept;
    const auto room = static_cast<size_t>(std::min<uint64_t>(capacity_ - kept, file_size_ - offset - kept));
    const size_t got = source_->read(offset + kept, buffer_.get() + kept, room);
    has_failed_ = has_failed_ || got < room;
    filled_ += got;
    return filled_ >= size;
}

}  // namespace sightline
