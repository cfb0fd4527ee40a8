#include "sightline/batch.hpp"

#include <functional>

namespace sightline {

namespace {
constexpr size_t kFirstCapacity = 64;
constexpr size_t kFirstTable = 256;
// A batch that has met this many tags starts afresh with the next file, so that one odd file cannot make every
// later one carry its tags.
constexpr size_t kMaxKeptSlots = 100'000;
// Buffers of a batch are given back between files when together they have grown past this.
constexpr size_t kMaxKeptRows = 1 << 20;

uint64_t hash_of(std::string_view tag) { return std::hash<std::string_view>{}(tag); }
}  // namespace

const char* damage_text(DamageReason reason) {
    switch (reason) {
        case DamageReason::kNone:
            return "";
        case DamageReason::kBadLength:
            return "bad length checksum";
        case DamageReason::kAbsurdLength:
            return "absurd length";
        case DamageReason::kBadPayload:
            return "bad payload checksum";
        case DamageReason::kUnfinished:
            return "unfinished record";
        case DamageReason::kUndecodable:
            return "undecodable record";
    }
    return "";
}

void BatchSeries::grow() {
    const size_t bigger = capacity == 0 ? kFirstCapacity : capacity * 2;
    for (size_t i = 0; i < column_count(form); ++i) {
        std::unique_ptr<uint64_t[]> fresh(new uint64_t[bigger]);
        if (size > 0) std::memcpy(fresh.get(), column[i], size * sizeof(uint64_t));
        owned[i] = std::move(fresh);
        column[i] = owned[i].get();
    }
    capacity = bigger;
}

Batch::Batch() {
    rehash(kFirstTable);
    find_slot("");  // slot 0: there is always something to guess
}

void Batch::clear(bool is_new_file) {
    size_t kept_rows = 0;
    for (BatchSeries* s : active_) {
        kept_rows += s->capacity;
        s->size = 0;
        s->epoch = 0;
        s->epoch_changes.clear();
    }
    for (TagSlot* slot : with_metadata_) {
        slot->has_metadata = false;
        slot->metadata.clear();
    }
    const bool is_oversized = slots_.size() > kMaxKeptSlots || kept_rows > kMaxKeptRows;
    active_.clear();
    with_metadata_.clear();
    if (is_new_file && is_oversized) {
        slots_.clear();
        rehash(kFirstTable);
        last_ = 0;
        find_slot("");
    } else if (is_new_file) {
        for (auto& slot : slots_) slot->plugin = PluginKnowledge::kUnknown;
    }
    is_from_beginning = false;
    epoch = 0;
    record_count = 0;
    created_wall_time = 0;
    first_wall_time = 0;
    last_wall_time = 0;
    starts.clear();
    damage.clear();
    damage_count = 0;
    skipped_bytes = 0;
    file_version.clear();
    source_writer.clear();
}

void Batch::add_damage(uint64_t offset, uint64_t length, DamageReason reason) {
    ++damage_count;
    skipped_bytes += length;
    if (damage.size() < kMaxDamage) damage.push_back({offset, length, reason});
}

void Batch::set_metadata(TagSlot& slot, std::string_view bytes, bool is_plain) {
    slot.metadata.assign(bytes);
    slot.has_metadata = true;
    const BatchSeries* raw = slot.series[static_cast<size_t>(Form::kScalarTensor)].get();
    slot.raw_rows_before_metadata = raw == nullptr ? 0 : raw->size;
    slot.is_metadata_plain = is_plain;
    if (is_from_beginning) slot.plugin = is_plain ? PluginKnowledge::kNoneOrScalars : PluginKnowledge::kOther;
    with_metadata_.push_back(&slot);
}

TagSlot& Batch::find_slot(std::string_view tag) {
    const uint64_t hash = hash_of(tag);
    const size_t mask = table_.size() - 1;
    size_t at = hash & mask;
    while (table_[at] != 0) {
        const uint32_t index = table_[at] - 1;
        TagSlot& slot = *slots_[index];
        if (slot.hash == hash && slot.tag == tag) {
            slots_[last_]->next = index;
            last_ = index;
            return slot;
        }
        at = (at + 1) & mask;
    }
    const auto index = static_cast<uint32_t>(slots_.size());
    slots_.push_back(std::make_unique<TagSlot>());
    TagSlot& slot = *slots_.back();
    slot.tag.assign(tag);
    slot.hash = hash;
    slot.next = index;
    table_[at] = index + 1;
    slots_[last_]->next = index;
    last_ = index;
    if (slots_.size() * 2 > table_.size()) rehash(table_.size() * 2);
    return slot;
}

void Batch::rehash(size_t size) {
    table_.assign(size, 0);
    for (size_t i = 0; i < slots_.size(); ++i) {
        size_t at = slots_[i]->hash & (size - 1);
        while (table_[at] != 0) at = (at + 1) & (size - 1);
        table_[at] = static_cast<uint32_t>(i + 1);
    }
}

BatchSeries& Batch::activate(TagSlot& slot, Form form) {
    auto& owned = slot.series[static_cast<size_t>(form)];
    if (owned == nullptr) {
        owned = std::make_unique<BatchSeries>();
        owned->form = form;
        owned->slot = &slot;
    }
    active_.push_back(owned.get());
    return *owned;
}

void Batch::note_epoch(BatchSeries& s) {
    s.epoch_changes.push_back({s.size, s.epoch, epoch});
    s.epoch = epoch;
}

}  // namespace sightline
