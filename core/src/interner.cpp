#include "sightline/interner.hpp"

namespace sightline {

uint32_t Interner::intern(std::string_view text) {
    {
        std::shared_lock lock(mutex_);
        const auto found = ids_.find(text);
        if (found != ids_.end()) return found->second;
    }
    std::unique_lock lock(mutex_);
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<uint32_t>(strings_.size());
    strings_.emplace_back(text);
    ids_.emplace(strings_.back(), id);
    return id;
}

std::optional<uint32_t> Interner::find(std::string_view text) const {
    std::shared_lock lock(mutex_);
    const auto found = ids_.find(text);
    if (found == ids_.end()) return std::nullopt;
    return found->second;
}

const std::string& Interner::at(uint32_t id) const {
    std::shared_lock lock(mutex_);
    return strings_[id];
}

namespace {

// Length of the valid UTF-8 sequence at the start of `s`; 0 when there is none.
size_t sequence_length(std::string_view s) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
    const auto is_tail = [&](size_t i) { return i < s.size() && (byte(i) & 0xC0) == 0x80; };
    const uint8_t first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return is_tail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        if (!is_tail(1) || !is_tail(2)) return 0;
        if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
        if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogate
        return 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!is_tail(1) || !is_tail(2) || !is_tail(3)) return 0;
        if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
        if (first == 0xF4 && byte(1) > 0x8F) return 0;  // beyond Unicode
        return 4;
    }
    return 0;
}

}  // namespace

std::string printable_utf8(std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const size_t length = sequence_length(bytes);
        if (length > 0) {
            out.append(bytes.substr(0, length));
            bytes.remove_prefix(length);
            continue;
        }
        const auto byte = static_cast<uint8_t>(bytes[0]);
        out.append("\\x");
        out.push_back(digits[byte >> 4]);
        out.push_back(digits[byte & 15]);
        bytes.remove_prefix(1);
    }
    return out;
}

}  // namespace sightline
