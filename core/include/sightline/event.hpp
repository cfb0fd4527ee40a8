// One serialized Event -> rows of a batch.
#pragma once

#include <cstdint>

#include "sightline/batch.hpp"

namespace sightline {

// Adds everything in the event to the batch, or nothing at all when the bytes are not an Event: then false.
// `file_offset` is where the event's bytes start in the file.
bool decode_event(const uint8_t* data, size_t size, uint64_t file_offset, Batch& batch);

// True when the bytes are an Event that is not empty. Adds nothing. The wall time is 0 when there is none.
bool looks_like_event(const uint8_t* data, size_t size, double& wall_time);

// The plugin's name in a serialized SummaryMetadata; empty when there is none.
std::string_view plugin_name(std::string_view metadata);

// The usual record of TensorFlow 2: one float tensor without dimensions, its metadata either absent or the same as
// before. As below, decodes exactly this and returns false for anything else, having done nothing.
bool decode_tensor_scalar(const uint8_t* data, size_t size, Batch& batch);

// The usual record of torch and tensorboardX: wall time, step, and one simple_value. Decodes exactly this layout,
// in a few dozen cycles, and returns false for anything else, having done nothing.
inline bool decode_simple_scalar(const uint8_t* p, size_t size, Batch& batch) {
    // 09 <8: wall time> [10 <step>] 2A <n> 0A <n> 0A <n> <tag> 15 <4: value>
    if (size < 9 + 2 + 2 + 2 + 5 || p[0] != 0x09) return false;
    const uint8_t* end = p + size;
    double wall_time;
    std::memcpy(&wall_time, p + 1, 8);
    p += 9;
    uint64_t step = 0;
    if (*p == 0x10) {
        ++p;
        int shift = 0;
        for (;;) {
            const uint8_t byte = *p++;
            step |= static_cast<uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
            shift += 7;
            if (shift > 63 || p >= end) return false;
        }
    }
    const auto rest = static_cast<size_t>(end - p);
    // All three lengths must be single bytes and must nest exactly to the end of the record.
    if (rest < 11 || rest > 0x7F || p[0] != 0x2A || p[1] != rest - 2 || p[2] != 0x0A || p[3] != rest - 4 ||
        p[4] != 0x0A || p[5] != rest - 11 || p[rest - 5] != 0x15)
        return false;
    float value;
    std::memcpy(&value, end - 4, 4);
    TagSlot& slot = batch.slot({reinterpret_cast<const char*>(p + 6), rest - 11});
    if (slot.tag.empty()) [[unlikely]]
        return false;  // an empty tag may have a node name instead
    batch.add_scalar(slot, static_cast<int64_t>(step), wall_time, value);
    batch.note_wall_time(wall_time);
    return true;
}

}  // namespace sightline
