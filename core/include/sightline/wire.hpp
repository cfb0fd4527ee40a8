// Protobuf wire format, the little of it that reading needs: varints, tags, and stepping over any field.
//
// Nothing here allocates or copies. Every function takes a position and an end, moves the position forward and
// returns false on malformed input, leaving the position unspecified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sightline::wire {

enum Type : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kGroupStart = 3, kGroupEnd = 4, kFixed32 = 5 };

struct Span {
    const uint8_t* data = nullptr;
    size_t size = 0;
    const uint8_t* end() const { return data + size; }
    explicit operator bool() const { return data != nullptr; }
};

inline bool read_varint(const uint8_t*& p, const uint8_t* end, uint64_t& value) {
    if (p < end && *p < 0x80) [[likely]] {
        value = *p++;
        return true;
    }
    uint64_t result = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (p >= end) return false;
        const uint8_t byte = *p++;
        result |= static_cast<uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            value = result;
            return true;
        }
    }
    return false;  // more than ten bytes
}

inline bool read_tag(const uint8_t*& p, const uint8_t* end, uint32_t& field, uint32_t& type) {
    uint64_t tag;
    if (!read_varint(p, end, tag) || tag > 0xFFFFFFFFU) return false;
    field = static_cast<uint32_t>(tag >> 3);
    type = static_cast<uint32_t>(tag & 7);
    return field != 0;
}

inline bool read_bytes(const uint8_t*& p, const uint8_t* end, Span& out) {
    uint64_t size;
    if (!read_varint(p, end, size) || size > static_cast<uint64_t>(end - p)) return false;
    out = {p, static_cast<size_t>(size)};
    p += size;
    return true;
}

template <class T>
inline bool read_fixed(const uint8_t*& p, const uint8_t* end, T& out) {
    if (static_cast<size_t>(end - p) < sizeof(T)) return false;
    std::memcpy(&out, p, sizeof(T));
    p += sizeof(T);
    return true;
}

// Steps over the value of a field whose tag was just read. Groups are obsolete but legal; their depth is bounded.
bool skip_value(const uint8_t*& p, const uint8_t* end, uint32_t field, uint32_t type, int depth = 0);

// One number of a wire type (kVarint, kFixed64 or kFixed32), as the bits that lie there.
inline bool read_number(const uint8_t*& p, const uint8_t* end, uint32_t type, uint64_t& bits) {
    if (type == kVarint) return read_varint(p, end, bits);
    if (type == kFixed64) return read_fixed(p, end, bits);
    uint32_t narrow;
    if (!read_fixed(p, end, narrow)) return false;
    bits = narrow;
    return true;
}

// Calls take(bytes) for every occurrence of a repeated number in a message: those of a single one, or of a packed run of
// them. `type_of_one` is the wire type of a single number. Stops when `take` returns false.
template <class Take>
bool for_each_run(Span message, uint32_t wanted, uint32_t type_of_one, Take&& take) {
    const uint8_t* p = message.data;
    const uint8_t* end = message.end();
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!read_tag(p, end, field, type)) return false;
        Span run{p, 0};
        if (field == wanted && type == kBytes) {
            if (!read_bytes(p, end, run)) return false;
        } else {
            if (!skip_value(p, end, field, type)) return false;
            if (field != wanted || type != type_of_one) continue;
            run.size = static_cast<size_t>(p - run.data);
        }
        if (!take(run)) return false;
    }
    return true;
}

// The same for every number, as the bits that lie there.
template <class Take>
bool for_each_number(Span message, uint32_t wanted, uint32_t type_of_one, Take&& take) {
    return for_each_run(message, wanted, type_of_one, [&](Span run) {
        uint64_t bits = 0;
        for (const uint8_t* p = run.data; p < run.end();) {
            if (!read_number(p, run.end(), type_of_one, bits)) return false;
            take(bits);
        }
        return true;
    });
}

}  // namespace sightline::wire
