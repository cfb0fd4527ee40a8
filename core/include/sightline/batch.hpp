// A batch: the rows decoded from one stretch of one file, before they are added to the file's series.
//
// Batches are reused: their tag table and buffers survive from stretch to stretch and from file to file, so that
// reading ten thousand runs with the same tags allocates next to nothing. Appending a row is the innermost loop
// of the whole reader; everything that is not needed for it is done once per stretch, on commit.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/rows.hpp"

namespace sightline {

enum class DamageReason : uint8_t {
    kNone,
    kBadLength,     // the checksum of the length does not hold
    kAbsurdLength,  // the length is intact but no event can be that long
    kBadPayload,    // the checksum of the data does not hold
    kUnfinished,    // the record was never finished, and other records follow it
    kUndecodable,   // checksums hold, but the data are not an Event
};
const char* damage_text(DamageReason reason);

struct Damage {
    uint64_t offset = 0;
    uint64_t length = 0;
    DamageReason reason = DamageReason::kNone;
};

struct SessionStart {
    int64_t step = 0;
    double wall_time = 0;
};

// Rows of one (tag, form) in the batch. Columns grow together and keep their capacity between uses.
struct BatchSeries {
    Form form = Form::kScalar;
    struct TagSlot* slot = nullptr;
    uint32_t epoch = 0;  // number of STARTs in this batch before the newest row
    size_t size = 0;
    size_t capacity = 0;
    std::array<uint64_t*, kMaxColumns> column{};
    std::array<std::unique_ptr<uint64_t[]>, kMaxColumns> owned;
    // (row, epoch before, epoch after): STARTs that stand between two rows.
    struct EpochChange {
        uint64_t row;
        uint32_t from;
        uint32_t to;
    };
    std::vector<EpochChange> epoch_changes;

    void grow();
    void push(int64_t step, double wall_time, uint64_t third) {
        if (size == capacity) [[unlikely]]
            grow();
        column[0][size] = cell(step);
        column[1][size] = cell(wall_time);
        column[2][size] = third;
        ++size;
    }
};

// What the file is known to say about a tag's plugin; decides whether single numbers are also kept as raw tensors. Only
// the first metadata in the file counts, so a batch from its middle knows nothing until it is told: it keeps
// them, and commit drops them.
enum class PluginKnowledge : uint8_t { kUnknown, kNoneOrScalars, kOther };

struct TagSlot {
    std::string tag;  // as in the file, any bytes
    uint64_t hash = 0;
    uint32_t next = 0;        // the slot that followed this one last time: records come in cycles
    uint32_t tag_id = kNoId;  // in the index's table of tags, set on first commit
    PluginKnowledge plugin = PluginKnowledge::kUnknown;
    std::string metadata;  // first SummaryMetadata of the tag in this batch
    bool has_metadata = false;
    bool is_metadata_plain = true;        // no plugin, or "scalars"
    size_t raw_rows_before_metadata = 0;  // rows of kScalarTensor that were there when it came
    std::array<std::unique_ptr<BatchSeries>, kFormCount> series;

    static constexpr uint32_t kNoId = std::numeric_limits<uint32_t>::max();
};

class Batch {
public:
    Batch();

    // Forgets all rows; keeps tags and buffers. `is_new_file` also forgets what was known about plugins.
    void clear(bool is_new_file);

    // The slot of a tag, guessing that tags repeat in the order in which they came before.
    TagSlot& slot(std::string_view tag) {
        TagSlot& guess = *slots_[slots_[last_]->next];
        if (guess.tag == tag) [[likely]] {
            last_ = slots_[last_]->next;
            return guess;
        }
        return find_slot(tag);
    }

    BatchSeries& series(TagSlot& slot, Form form) {
        BatchSeries* s = slot.series[static_cast<size_t>(form)].get();
        if (s == nullptr || s->size == 0) [[unlikely]]
            s = &activate(slot, form);
        if (s->epoch != epoch) [[unlikely]]
            note_epoch(*s);
        return *s;
    }

    void add_scalar(TagSlot& slot, int64_t step, double wall_time, double value) {
        series(slot, Form::kScalar).push(step, wall_time, cell(value));
    }
    void add_reference(TagSlot& slot, Form form, int64_t step, double wall_time, uint64_t offset, uint64_t length) {
        BatchSeries& s = series(slot, form);
        s.push(step, wall_time, offset);
        s.column[3][s.size - 1] = length;
    }
    void add_start(int64_t step, double wall_time) {
        starts.push_back({step, wall_time});
        ++epoch;
    }
    void add_damage(uint64_t offset, uint64_t length, DamageReason reason);
    // Zero, negative and non-finite wall times say nothing about when a file was written.
    void note_wall_time(double wall_time) {
        if (!(wall_time > 0) || !std::isfinite(wall_time)) return;
        if (wall_time < first_wall_time || !(first_wall_time > 0)) first_wall_time = wall_time;
        if (wall_time > last_wall_time) last_wall_time = wall_time;
    }

    const std::vector<BatchSeries*>& active() const { return active_; }
    const std::vector<TagSlot*>& with_metadata() const { return with_metadata_; }
    std::vector<std::unique_ptr<TagSlot>>& slots() { return slots_; }
    void set_metadata(TagSlot& slot, std::string_view bytes, bool is_plain);

    Slab slab;                       // where commit puts the rows of new series
    bool is_from_beginning = false;  // of the file: the first metadata here is the first there is
    uint32_t epoch = 0;
    uint64_t record_count = 0;
    double created_wall_time = 0;  // of the version event
    double first_wall_time = 0;    // earliest and latest of the others
    double last_wall_time = 0;
    std::vector<SessionStart> starts;
    std::vector<Damage> damage;  // the first kMaxDamage places; the counters count all
    uint64_t damage_count = 0;
    uint64_t skipped_bytes = 0;
    std::string file_version;
    std::string source_writer;

    static constexpr size_t kMaxDamage = 64;

private:
    TagSlot& find_slot(std::string_view tag);
    BatchSeries& activate(TagSlot& slot, Form form);
    void note_epoch(BatchSeries& s);
    void rehash(size_t size);

    std::vector<std::unique_ptr<TagSlot>> slots_;
    std::vector<uint32_t> table_;  // open addressing, slot index + 1
    uint32_t last_ = 0;
    std::vector<BatchSeries*> active_;
    std::vector<TagSlot*> with_metadata_;
};

}  // namespace sightline
