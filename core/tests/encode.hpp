// Event files for tests, written byte by byte.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sightline/crc32c.hpp"

namespace encode {

inline std::string fixed32(uint32_t v) { return {reinterpret_cast<const char*>(&v), 4}; }
inline std::string fixed64(uint64_t v) { return {reinterpret_cast<const char*>(&v), 8}; }

inline std::string varint(uint64_t v) {
    std::string out;
    for (; v >= 0x80; v >>= 7) out.push_back(static_cast<char>(v | 0x80));
    out.push_back(static_cast<char>(v));
    return out;
}
inline std::string number(uint32_t field, uint64_t v) { return varint(field << 3) + varint(v); }
inline std::string bytes(uint32_t field, std::string_view data) {
    return varint(field << 3 | 2) + varint(data.size()) + std::string(data);
}
inline std::string f64(uint32_t field, double v) {
    uint64_t bits;
    std::memcpy(&bits, &v, 8);
    return varint(field << 3 | 1) + fixed64(bits);
}
inline std::string f32(uint32_t field, float v) {
    uint32_t bits;
    std::memcpy(&bits, &v, 4);
    return varint(field << 3 | 5) + fixed32(bits);
}

inline std::string record(std::string_view payload) {
    const std::string length = fixed64(payload.size());
    return length + fixed32(sightline::mask_crc(sightline::crc32c(length.data(), 8))) + std::string(payload) +
           fixed32(sightline::mask_crc(sightline::crc32c(payload.data(), payload.size())));
}
inline std::string event(double wall_time, int64_t step, std::string_view rest) {
    return f64(1, wall_time) + number(2, static_cast<uint64_t>(step)) + std::string(rest);
}
inline std::string summary(std::string_view value) { return bytes(5, bytes(1, value)); }
inline std::string scalar(std::string_view tag, int64_t step, float value, double wall_time = 1000) {
    return record(event(wall_time + static_cast<double>(step), step, summary(bytes(1, tag) + f32(2, value))));
}
inline std::string text(std::string_view tag, int64_t step, std::string_view content) {
    const std::string tensor = number(1, 7) + bytes(2, bytes(2, number(1, 1))) + bytes(8, content);
    return record(event(1000 + static_cast<double>(step), step,
                        summary(bytes(1, tag) + bytes(8, tensor) + bytes(9, bytes(1, bytes(1, "text"))))));
}
inline std::string session_start(int64_t step, double wall_time) {
    return record(event(wall_time, step, bytes(7, number(1, 1))));
}
inline std::string header() { return record(f64(1, 1000) + bytes(3, "brain.Event:2")); }

}  // namespace encode
