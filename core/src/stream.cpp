#include "sightline/stream.hpp"

#include <algorithm>
#include <cstring>

#include "sightline/crc32c.hpp"

namespace sightline {

void StreamSource::restart(uint64_t offset) {
    begin_ = offset;
    buffer_.clear();
}

void StreamSource::forget_before(uint64_t offset) {
    if (offset <= begin_) return;
    const auto count = static_cast<size_t>(std::min<uint64_t>(offset - begin_, buffer_.size()));
    buffer_.erase(0, count);
    begin_ += count;
}

bool StreamSource::is_chain_at(uint64_t offset) const {
    if (offset < begin_ || next_offset() - offset < kHeaderBytes) return true;
    const char* header = buffer_.data() + (offset - begin_);
    uint32_t stored;
    std::memcpy(&stored, header + 8, 4);
    return mask_crc(crc32c(header, 8)) == stored;
}

size_t StreamSource::read(uint64_t offset, uint8_t* out, size_t size) {
    if (offset < begin_ || offset >= next_offset()) return 0;
    const size_t n = std::min(size, static_cast<size_t>(next_offset() - offset));
    std::memcpy(out, buffer_.data() + (offset - begin_), n);
    return n;
}

}  // namespace sightline
