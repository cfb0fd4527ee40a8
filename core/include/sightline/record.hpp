// Records: framing, checksums, and finding the way again after damage.
//
// A file is a chain of records: length (8 bytes), checksum of the length (4), data, checksum of the data (4).
// The chain is followed from its beginning; every link is verified. Where it is broken:
//
//   length checksum bad, or      the next position where a length checksum holds begins the next record;
//   length absurd                all bytes up to there are one damaged place
//   data checksum bad            the record is skipped if another record (or the end) follows where it should,
//                                else as above: its length cannot be trusted either
//   record reaches past the end  usually the writer is not done: wait. But if a whole, valid event lies where its
//                                data should be, written no earlier than the record itself, the record was abandoned:
//                                go on there. (An older one is part of the data: somebody logs a log.)
//   data are not an Event        the record is skipped
//
// `ReadState` is all that has to be remembered to go on later, in constant time when nothing was added.
#pragma once

#include <array>
#include <cstdint>

#include "sightline/batch.hpp"
#include "sightline/window.hpp"

namespace sightline {

inline constexpr size_t kHeaderBytes = 12;
inline constexpr size_t kFrameBytes = 16;  // header and trailing checksum
// Protobuf messages cannot be larger than this.
inline constexpr uint64_t kMaxRecordBytes = 0x7FFFFFFF;

struct ReadState {
    uint64_t offset = 0;  // of the next record, or of a damaged place that has not ended yet
    DamageReason open_damage = DamageReason::kNone;
    // Search for the next record goes on here: in an open damaged place, or behind the header of a record that
    // reaches past the end of the file.
    uint64_t scan = 0;
    // The last record read, for telling whether the file is still the same one.
    uint64_t last_record = kNoRecord;
    std::array<uint8_t, kHeaderBytes> last_header{};
    uint32_t last_checksum = 0;  // of its data

    // Bytes checksummed in vain. A file made to look like nested records could make this quadratic; past a limit
    // lengths are believed, so that reading always ends.
    uint64_t wasted_bytes = 0;

    static constexpr uint64_t kNoRecord = ~uint64_t{0};

    // A damaged place at the end of the file is judged anew, from its beginning, when there is more to see: what looked
    // wrong may have been data that had not arrived yet. One that is larger than this is only searched on.
    static constexpr uint64_t kJudgedAnewBytes = 1 << 20;
    bool is_judged_anew() const { return open_damage == DamageReason::kNone || scan - offset <= kJudgedAnewBytes; }
    // Bytes before this are not needed any more.
    uint64_t needed_from() const { return is_judged_anew() ? offset : scan; }
};

// Reads records from state.offset on, as long as they begin before `stop`, up to the end of what is there.
// Returns false when there is nothing more to read for now (the end of the file, an unfinished record, an error).
bool read_records(Window& window, ReadState& state, uint64_t stop, Batch& batch);

// The first position in [from, stop) at which a whole, valid record begins; `stop` when there is none.
uint64_t find_record(Window& window, uint64_t from, uint64_t stop);

}  // namespace sightline
