#include "sightline/record.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sightline/crc32c.hpp"
#include "sightline/event.hpp"

namespace sightline {
namespace {

uint64_t load64(const uint8_t* p) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    return v;
}

uint32_t load32(const uint8_t* p) {
    uint32_t v;
    std::memcpy(&v, p, 4);
    return v;
}

bool is_header(const uint8_t* p) { return mask_crc(crc32c(p, 8)) == load32(p + 8); }

// Headers of one length are all the same twelve bytes. Remembering the ones that were verified saves computing the
// same checksum millions of times.
class KnownHeaders {
public:
    bool check(const uint8_t* p, uint64_t length) {
        Entry& entry = entries_[length % entries_.size()];
        const uint32_t stored = load32(p + 8);
        if (entry.length == length && entry.checksum == stored) [[likely]]
            return true;
        if (mask_crc(crc32c(p, 8)) != stored) return false;
        entry = {length, stored};
        return true;
    }

private:
    struct Entry {
        uint64_t length = ~uint64_t{0};
        uint32_t checksum = 0;
    };
    std::array<Entry, 128> entries_{};
};

bool is_payload_intact(const uint8_t* record, uint64_t length) {
    return mask_crc(crc32c(record + kHeaderBytes, length)) == load32(record + kHeaderBytes + length);
}

// Data of this size and more are checksummed piece by piece before they are held in memory as a whole: a length
// that is a lie must not cost memory.
constexpr uint64_t kLargePayload = 4 << 20;
constexpr uint64_t kWasteAllowance = 256 << 20;
constexpr uint64_t kGuessAllowance = 16 << 20;  // for one segment: a guess that is hard to make is not worth it
// Events of one file come from threads whose clocks were read at slightly different moments.
constexpr double kClockSlackSeconds = 10;

bool is_payload_intact(Window& window, uint64_t offset, uint64_t length) {
    if (length < kLargePayload)
        return window.load(offset, kFrameBytes + length) && is_payload_intact(window.at(offset), length);
    uint32_t crc = 0;
    uint64_t at = offset + kHeaderBytes;
    for (uint64_t rest = length; rest > 0;) {
        const auto piece = static_cast<size_t>(std::min<uint64_t>(rest, Window::kBlockBytes));
        if (!window.load(at, piece)) return false;
        crc = crc32c(window.at(at), piece, crc);
        at += piece;
        rest -= piece;
    }
    return window.load(at, 4) && mask_crc(crc) == load32(window.at(at));
}

bool is_waste_exhausted(const Window& window, const ReadState& state) {
    return state.wasted_bytes > kWasteAllowance + 4 * window.file_size();
}

// The first position in [from, end) that holds a valid header of a possible length; `end` when there is none.
// `end` must leave room for a header at every position before it.
uint64_t find_header(Window& window, uint64_t from, uint64_t end) {
    while (from < end) {
        if (!window.load(from, kHeaderBytes)) return end;
        const size_t available = window.available(from);
        const size_t count = static_cast<size_t>(std::min<uint64_t>(available - kHeaderBytes + 1, end - from));
        const uint8_t* p = window.at(from);
        for (size_t i = 0; i < count; ++i)
            if (load64(p + i) <= kMaxRecordBytes && is_header(p + i)) return from + i;
        from += count;
    }
    return end;
}

// Where a header may begin at the latest.
uint64_t header_end(const Window& window) {
    return window.file_size() < kHeaderBytes ? 0 : window.file_size() - kHeaderBytes + 1;
}

bool is_complete(const Window& window, uint64_t offset, uint64_t length) {
    return kFrameBytes + length <= window.file_size() - offset;
}

// Goes on with an open damaged place. False when the file ends before the next record is found.
bool resync(Window& window, ReadState& state, Batch& batch) {
    const uint64_t end = header_end(window);
    const uint64_t found = find_header(window, state.scan, end);
    if (found >= end) {
        if (!window.has_failed()) state.scan = std::max(state.scan, end);
        return false;
    }
    batch.add_damage(state.offset, found - state.offset, state.open_damage);
    state.offset = found;
    state.open_damage = DamageReason::kNone;
    state.scan = 0;
    return true;
}

void open_damage(ReadState& state, DamageReason reason, uint64_t scan_from) {
    state.open_damage = reason;
    state.scan = scan_from;
}

// Wall time of an event of which only the beginning is there: writers put it first. -infinity when it is not.
double wall_time_at(Window& window, uint64_t offset) {
    double wall_time = -std::numeric_limits<double>::infinity();
    if (!window.load(offset, 9) || *window.at(offset) != 0x09) return wall_time;
    std::memcpy(&wall_time, window.at(offset) + 1, 8);
    return wall_time;
}

// The record at state.offset reaches past the end of the file. Looks for a whole event inside the part that is there:
// if there is one, and it is not older, the record was abandoned. False when there is none: wait for more.
bool skip_abandoned(Window& window, ReadState& state, Batch& batch) {
    const uint64_t end = header_end(window);
    const double own_wall_time = wall_time_at(window, state.offset + kHeaderBytes);
    double wall_time = 0;
    uint64_t next_scan = 0;
    uint64_t from = std::max(state.scan, state.offset + kHeaderBytes);
    for (;;) {
        const uint64_t found = find_header(window, from, end);
        if (window.has_failed()) return false;
        if (found >= end) {
            state.scan = next_scan != 0 ? next_scan : std::max(from, end);
            return false;
        }
        const uint64_t length = load64(window.at(found));
        if (!is_complete(window, found, length)) {
            if (next_scan == 0) next_scan = found;  // may be completed later
        } else if (is_payload_intact(window, found, length) && window.load(found, kFrameBytes + length) &&
                   looks_like_event(window.at(found) + kHeaderBytes, length, wall_time) &&
                   !(wall_time < own_wall_time - kClockSlackSeconds)) {
            batch.add_damage(state.offset, found - state.offset, DamageReason::kUnfinished);
            state.offset = found;
            state.scan = 0;
            return true;
        } else {
            state.wasted_bytes += length;
            if (is_waste_exhausted(window, state)) {
                state.scan = end;
                return false;
            }
        }
        from = found + 1;
    }
}

// Is there a record where a record of this length should end?
bool is_followed(Window& window, uint64_t offset, uint64_t length) {
    const uint64_t end = offset + kFrameBytes + length;
    if (window.file_size() - end < kHeaderBytes || !window.load(end, kHeaderBytes)) return false;
    const uint8_t* next = window.at(end);
    return load64(next) <= kMaxRecordBytes && is_header(next);
}

void finish_record(ReadState& state, const uint8_t* record, uint64_t length) {
    state.last_record = state.offset;
    std::memcpy(state.last_header.data(), record, kHeaderBytes);
    state.last_checksum = load32(record + kHeaderBytes + length);
    state.offset += kFrameBytes + length;
    state.scan = 0;
}

// Deals with whatever is at state.offset when it is not a plain record at hand. False: nothing more for now.
bool take_one_step(Window& window, ReadState& state, Batch& batch) {
    const uint64_t rest = window.file_size() - state.offset;
    if (rest < kHeaderBytes || !window.load(state.offset, kHeaderBytes)) return false;
    const uint8_t* header = window.at(state.offset);
    const uint64_t length = load64(header);
    if (!is_header(header)) {
        open_damage(state, DamageReason::kBadLength, state.offset + 1);
        return resync(window, state, batch);
    }
    if (length > kMaxRecordBytes) {
        open_damage(state, DamageReason::kAbsurdLength, state.offset + 1);
        return resync(window, state, batch);
    }
    if (!is_complete(window, state.offset, length)) return window.is_whole() && skip_abandoned(window, state, batch);
    if (is_payload_intact(window, state.offset, length)) {
        if (!window.load(state.offset, kFrameBytes + length)) return false;
        const uint8_t* record = window.at(state.offset);
        if (!decode_event(record + kHeaderBytes, length, state.offset + kHeaderBytes, batch))
            batch.add_damage(state.offset, kFrameBytes + length, DamageReason::kUndecodable);
        else
            ++batch.record_count;
        finish_record(state, record, length);
        return true;
    }
    if (window.has_failed()) return false;
    if (!window.is_whole() && rest - kFrameBytes - length < kHeaderBytes) return false;  // cannot be judged yet
    state.wasted_bytes += length;
    if (state.offset + kFrameBytes + length == window.file_size()) {
        // The last record. More may come, and show that the length was wrong or that the data were merely late.
        open_damage(state, DamageReason::kBadPayload, window.file_size());
        return false;
    }
    if (is_followed(window, state.offset, length) || is_waste_exhausted(window, state)) {
        batch.add_damage(state.offset, kFrameBytes + length, DamageReason::kBadPayload);
        state.offset += kFrameBytes + length;
        state.scan = 0;
        return true;
    }
    open_damage(state, DamageReason::kBadPayload, state.offset + kHeaderBytes);
    return resync(window, state, batch);
}

// Whole, intact records that lie in the window: the fast path. Stops in front of anything else.
void read_plain_records(Window& window, ReadState& state, uint64_t stop, Batch& batch, KnownHeaders& known) {
    size_t available = window.available(state.offset);
    if (available < kFrameBytes) return;
    const uint8_t* const first = window.at(state.offset);
    const uint8_t* p = first;
    const uint8_t* last = nullptr;
    const uint64_t base = state.offset;
    const uint64_t limit = stop - base;  // positions relative to `first`
    uint64_t count = 0;
    while (available >= kFrameBytes && static_cast<uint64_t>(p - first) < limit) {
        const uint64_t length = load64(p);
        if (length > available - kFrameBytes || !known.check(p, length) || !is_payload_intact(p, length)) break;
        if (!decode_simple_scalar(p + kHeaderBytes, length, batch) &&
            !decode_tensor_scalar(p + kHeaderBytes, length, batch) &&
            !decode_event(p + kHeaderBytes, length, base + static_cast<uint64_t>(p - first) + kHeaderBytes, batch))
            break;
        ++count;
        last = p;
        p += kFrameBytes + length;
        available -= kFrameBytes + length;
    }
    if (last == nullptr) return;
    batch.record_count += count;
    state.offset = base + static_cast<uint64_t>(last - first);
    finish_record(state, last, load64(last));
}

}  // namespace

bool read_records(Window& window, ReadState& state, uint64_t stop, Batch& batch) {
    KnownHeaders known;
    if (state.open_damage != DamageReason::kNone && state.is_judged_anew()) open_damage(state, DamageReason::kNone, 0);
    if (state.open_damage != DamageReason::kNone && !resync(window, state, batch)) return false;
    while (state.offset < stop) {
        read_plain_records(window, state, stop, batch, known);
        if (state.offset >= stop) break;
        // Usually the window merely ends in the middle of a record: move it on. Otherwise look closely.
        const uint64_t before = state.offset;
        if (window.available(before) < kFrameBytes ||
            load64(window.at(before)) + kFrameBytes > window.available(before)) {
            const uint64_t rest = window.file_size() - before;
            if (rest >= Window::kBlockBytes && window.available(before) < Window::kBlockBytes &&
                window.load(before, Window::kBlockBytes)) {
                read_plain_records(window, state, stop, batch, known);
                if (state.offset != before) continue;
            }
        }
        if (!take_one_step(window, state, batch)) return false;
    }
    return true;
}

uint64_t find_record(Window& window, uint64_t from, uint64_t stop) {
    const uint64_t end = std::min(stop, header_end(window));
    uint64_t wasted_bytes = 0;
    while (from < end && wasted_bytes < kGuessAllowance) {
        const uint64_t found = find_header(window, from, end);
        if (found >= end) break;
        const uint64_t length = load64(window.at(found));
        if (is_complete(window, found, length) && is_payload_intact(window, found, length)) return found;
        wasted_bytes += length;
        from = found + 1;
    }
    return stop;
}

}  // namespace sightline
