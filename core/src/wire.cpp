#include "sightline/wire.hpp"

namespace sightline::wire {

namespace {
constexpr int kMaxGroupDepth = 64;
}

bool skip_value(const uint8_t*& p, const uint8_t* end, uint32_t field, uint32_t type, int depth) {
    switch (type) {
        case kVarint: {
            uint64_t ignored;
            return read_varint(p, end, ignored);
        }
        case kFixed64:
            if (end - p < 8) return false;
            p += 8;
            return true;
        case kFixed32:
            if (end - p < 4) return false;
            p += 4;
            return true;
        case kBytes: {
            Span ignored;
            return read_bytes(p, end, ignored);
        }
        case kGroupStart: {
            if (depth >= kMaxGroupDepth) return false;
            while (p < end) {
                uint32_t inner_field;
                uint32_t inner_type;
                if (!read_tag(p, end, inner_field, inner_type)) return false;
                if (inner_type == kGroupEnd) return inner_field == field;
                if (!skip_value(p, end, inner_field, inner_type, depth + 1)) return false;
            }
            return false;
        }
        default:
            return false;  // an end of group that was never opened, or a type that does not exist
    }
}

}  // namespace sightline::wire
