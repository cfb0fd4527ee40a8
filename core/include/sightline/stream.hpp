// A file whose bytes arrive from outside, piece by piece (remote storage). Holds only what is not decoded yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/segmented_read.hpp"

namespace sightline {

class StreamSource final : public Source {
public:
    // Begins again at `offset`.
    void restart(uint64_t offset);
    void announce(uint64_t total) { total_ = total; }
    void append(std::string_view data) { buffer_.append(data); }
    void forget_before(uint64_t offset);
    // Can a record begin at this offset, as far as its header is here?
    bool is_chain_at(uint64_t offset) const;
    uint64_t next_offset() const { return begin_ + buffer_.size(); }

    uint64_t size() const override { return next_offset(); }
    bool is_whole() const override { return next_offset() >= total_; }
    size_t read(uint64_t offset, uint8_t* out, size_t size) override;

private:
    uint64_t total_ = 0;
    uint64_t begin_ = 0;
    std::string buffer_;
};

}  // namespace sightline
