#include "sightline/event_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sightline {
namespace {

// Many small columns in one allocation: the first rows of all series of a file.
struct Arena final : Storage {
    explicit Arena(size_t size) : cells(new uint64_t[size]) {}
    std::unique_ptr<uint64_t[]> cells;
};

// Series that start with more rows than this get buffers of their own, which can grow without being copied.
constexpr size_t kArenaRows = 16 << 10;

uint64_t key_of(uint32_t tag_id, Form form) { return static_cast<uint64_t>(tag_id) << 8 | static_cast<uint64_t>(form); }

bool is_same_content(Source& source, const FileContent& content) {
    std::array<uint8_t, sizeof(Head::bytes)> head;
    if (source.read(0, head.data(), content.head.size) != content.head.size) return false;
    if (std::memcmp(head.data(), content.head.bytes.data(), content.head.size) != 0) return false;
    if (content.state.last_record == ReadState::kNoRecord) return true;
    std::array<uint8_t, kHeaderBytes> header;
    return source.read(content.state.last_record, header.data(), header.size()) == header.size() &&
           header == content.state.last_header;
}

}  // namespace

EventFile::EventFile(uint32_t id_, std::string path_, std::string run_, bool is_stream_, Tables& tables)
    : id(id_), path(std::move(path_)), run(std::move(run_)), is_stream(is_stream_), tables_(tables) {}

std::string EventFile::name() const { return path.substr(path.find_last_of('/') + 1); }

ReadState EventFile::begin(Source& source, const FileStat& stat) {
    std::lock_guard lock(mutex_);
    fill_now();
    const bool is_known = content_.head.size > 0;
    if (is_known && (stat.size < content_.state.offset || !is_same_content(source, content_))) {
        content_ = {};
        lookup_.clear();
        ++generation_;
    }
    content_.stat = stat;
    const size_t wanted = std::min<size_t>(stat.size, content_.head.bytes.size());
    if (content_.head.size < wanted)
        content_.head.size = static_cast<uint32_t>(source.read(0, content_.head.bytes.data(), wanted));
    error_.clear();
    return content_.state;
}

bool EventFile::is_plain(uint32_t tag_id) const {
    const auto found = content_.metadata.find(tag_id);
    return found == content_.metadata.end() || found->second.is_plain;
}

FileSeries& EventFile::series_for(uint32_t tag_id, Form form) {
    if (lookup_.size() != content_.series.size()) {
        lookup_.clear();
        for (uint32_t i = 0; i < content_.series.size(); ++i)
            lookup_.emplace(key_of(content_.series[i].tag_id, content_.series[i].form), i);
    }
    const auto [at, is_new] = lookup_.try_emplace(key_of(tag_id, form), static_cast<uint32_t>(content_.series.size()));
    if (is_new) {
        content_.series.emplace_back();
        content_.series.back().tag_id = tag_id;
        content_.series.back().form = form;
    }
    return content_.series[at->second];
}

void EventFile::add_breaks(FileSeries& series, const BatchSeries& added, uint32_t starts_before) {
    const auto& starts = content_.facts.starts;
    const uint64_t base = series.rows.size();
    const auto add = [&](uint64_t row, uint32_t from, uint32_t to) {
        if (row == 0 || from >= to) return;
        Break b{row, starts[from].step, starts[to - 1].wall_time};
        for (uint32_t i = from; i < to; ++i) b.start_step = std::min(b.start_step, starts[i].step);
        series.breaks.push_back(b);
    };
    const auto& changes = added.epoch_changes;
    if (changes.empty() || changes.front().row > 0) add(base, series.epoch, starts_before);
    for (const auto& change : changes) {
        const uint32_t from = change.row == 0 ? series.epoch : starts_before + change.from;
        add(base + change.row, from, starts_before + change.to);
    }
    series.epoch = starts_before + added.epoch;
}

uint32_t EventFile::tag_id_of(TagSlot& slot) {
    if (slot.tag_id == TagSlot::kNoId) slot.tag_id = tables_.tags.intern(printable_utf8(slot.tag));
    return slot.tag_id;
}

std::vector<uint32_t> EventFile::commit_rows(Batch& batch, uint32_t starts_before) {
    // First find each series, then copy: rows of new series lie side by side in one arena of just the right size.
    std::vector<uint32_t> tags;
    std::vector<std::pair<const BatchSeries*, uint32_t>> additions;  // with the index of the series
    size_t arena_cells = 0;
    const auto fits_arena = [&](const BatchSeries& added, const FileSeries& series) {
        return series.rows.size() == 0 && added.size <= kArenaRows;
    };
    for (const BatchSeries* added : batch.active()) {
        const uint32_t tag_id = tag_id_of(*added->slot);
        if (added->form == Form::kScalarTensor && is_plain(tag_id)) continue;
        const FileSeries& series = series_for(tag_id, added->form);
        additions.emplace_back(added, static_cast<uint32_t>(&series - content_.series.data()));
        tags.push_back(tag_id);
        if (fits_arena(*added, series)) arena_cells += column_count(added->form) * added->size;
    }
    const auto arena = arena_cells > 0 ? std::make_shared<Arena>(arena_cells) : nullptr;
    uint64_t* at = arena ? arena->cells.get() : nullptr;
    const bool has_starts = !content_.facts.starts.empty();
    for (const auto& [added, index] : additions) {
        FileSeries& series = content_.series[index];
        const size_t columns = column_count(added->form);
        if (has_starts) add_breaks(series, *added, starts_before);
        if (fits_arena(*added, series)) {
            std::array<uint64_t*, kMaxColumns> column{};
            for (size_t i = 0; i < columns; ++i) {
                std::memcpy(at, added->column[i], added->size * sizeof(uint64_t));
                column[i] = at;
                at += added->size;
            }
            series.rows.adopt(arena, column, added->size);
        } else {
            std::array<const uint64_t*, kMaxColumns> source{};
            for (size_t i = 0; i < columns; ++i) source[i] = added->column[i];
            series.rows.append(source, added->size, columns);
        }
    }
    return tags;
}

std::vector<uint32_t> EventFile::commit(Batch& batch, const ReadState& state) {
    std::lock_guard lock(mutex_);
    fill_now();
    for (TagSlot* slot : batch.with_metadata())
        content_.metadata.try_emplace(tag_id_of(*slot), TagMetadata{tables_.metadata.intern(slot->metadata),
                                                                    slot->plugin != PluginKnowledge::kOther});
    FileFacts& facts = content_.facts;
    const auto starts_before = static_cast<uint32_t>(facts.starts.size());
    facts.starts.insert(facts.starts.end(), batch.starts.begin(), batch.starts.end());
    std::vector<uint32_t> tags = commit_rows(batch, starts_before);
    facts.record_count += batch.record_count;
    if (!(facts.first_wall_time > 0)) facts.first_wall_time = batch.first_wall_time;
    if (batch.last_wall_time > 0) facts.last_wall_time = batch.last_wall_time;
    if (facts.file_version.empty()) facts.file_version = batch.file_version;
    if (facts.source_writer.empty()) facts.source_writer = batch.source_writer;
    facts.damage_count += batch.damage_count;
    facts.skipped_bytes += batch.skipped_bytes;
    for (const Damage& d : batch.damage)
        if (facts.damage.size() < Batch::kMaxDamage) facts.damage.push_back(d);
    content_.state = state;
    return tags;
}

void EventFile::share_knowledge(Batch& batch) {
    std::lock_guard lock(mutex_);
    if (content_.metadata.empty()) return;
    for (auto& slot : batch.slots()) {
        if (slot->tag_id == TagSlot::kNoId) continue;
        const auto found = content_.metadata.find(slot->tag_id);
        if (found != content_.metadata.end())
            slot->plugin = found->second.is_plain ? PluginKnowledge::kNoneOrScalars : PluginKnowledge::kOther;
    }
}

void EventFile::restore(FileContent content, std::unique_ptr<ContentSource> lazy) {
    std::lock_guard lock(mutex_);
    content_ = std::move(content);
    lazy_ = std::move(lazy);
    lookup_.clear();
}

void EventFile::drop_content() {
    std::lock_guard lock(mutex_);
    lazy_.reset();
    content_ = {};
    lookup_.clear();
    ++generation_;
}

void EventFile::set_error(std::string error) {
    std::lock_guard lock(mutex_);
    error_ = std::move(error);
}

void EventFile::set_stat(const FileStat& stat) {
    std::lock_guard lock(mutex_);
    content_.stat = stat;
}

std::string EventFile::error() const {
    std::lock_guard lock(mutex_);
    return error_;
}

uint64_t EventFile::generation() const {
    std::lock_guard lock(mutex_);
    return generation_;
}

bool EventFile::take_lost() {
    std::lock_guard lock(mutex_);
    fill_now();
    return std::exchange(is_lost_, false);
}

void EventFile::fill_now() {
    if (lazy_ == nullptr) return;
    const std::unique_ptr<ContentSource> lazy = std::move(lazy_);
    if (lazy->fill(content_)) return;
    content_ = {};
    is_lost_ = true;
    ++generation_;
}

}  // namespace sightline
