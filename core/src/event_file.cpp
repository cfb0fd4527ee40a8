#include "sightline/event_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sightline {
namespace {

// Series that start with more rows than this get buffers of their own, which can grow without being copied.
constexpr size_t kSlabRows = 16 << 10;

uint64_t key_of(uint32_t tag_id, Form form) { return static_cast<uint64_t>(tag_id) << 8 | static_cast<uint64_t>(form); }

bool is_same_content(Source& source, const FileContent& content) {
    std::array<uint8_t, sizeof(Head::bytes)> head;
    if (source.read(0, head.data(), content.head.size) != content.head.size) return false;
    if (std::memcmp(head.data(), content.head.bytes.data(), content.head.size) != 0) return false;
    if (content.state.last_record == ReadState::kNoRecord) return true;
    std::array<uint8_t, kHeaderBytes> header;
    if (source.read(content.state.last_record, header.data(), header.size()) != header.size()) return false;
    if (header != content.state.last_header) return false;
    uint64_t length;
    std::memcpy(&length, header.data(), sizeof(length));
    uint32_t checksum;
    auto* out = reinterpret_cast<uint8_t*>(&checksum);
    return source.read(content.state.last_record + kHeaderBytes + length, out, sizeof(checksum)) == sizeof(checksum) &&
           checksum == content.state.last_checksum;
}

}  // namespace

EventFile::EventFile(uint32_t id_, std::string path_, std::string run_, bool is_stream_, Tables& tables)
    : id(id_), path(std::move(path_)), run(std::move(run_)), is_stream(is_stream_), tables_(tables) {}

std::string EventFile::name() const { return path.substr(path.find_last_of('/') + 1); }

ReadState EventFile::begin(Source& source, const FileStat& stat) {
    std::lock_guard lock(mutex_);
    fill_now();
    const bool is_known = content_.head.size > 0;
    // Written to without growing: not what a writer of events does, so somebody has put something else there.
    const bool is_rewritten = stat.size == content_.stat.size && stat.mtime_ns != content_.stat.mtime_ns;
    if (is_known && (is_rewritten || stat.size < content_.state.offset || !is_same_content(source, content_))) {
        content_ = {};
        lookup_.clear();
        ++generation_;
    }
    content_.stat = stat;
    error_.clear();
    return content_.state;
}

void EventFile::set_head(const uint8_t* bytes, size_t size) {
    std::lock_guard lock(mutex_);
    content_.head.size = static_cast<uint32_t>(std::min(size, content_.head.bytes.size()));
    std::memcpy(content_.head.bytes.data(), bytes, content_.head.size);
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

void EventFile::add_breaks(FileSeries& series, const BatchSeries& added, size_t first_row, uint32_t starts_before) {
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
        add(base + (change.row > first_row ? change.row - first_row : 0), from, starts_before + change.to);
    }
    series.epoch = starts_before + added.epoch;
}

uint32_t EventFile::tag_id_of(TagSlot& slot) {
    if (slot.tag_id == TagSlot::kNoId) slot.tag_id = tables_.tags.intern(printable_utf8(slot.tag));
    return slot.tag_id;
}

std::vector<uint32_t> EventFile::commit_rows(Batch& batch, const std::unordered_set<uint32_t>& new_metadata,
                                             uint32_t starts_before) {
    struct Addition {
        const BatchSeries* added;
        uint32_t series;   // index
        size_t first_row;  // rows of the batch before this one are left out
        size_t count() const { return added->size - first_row; }
    };
    // First find each series, then copy: rows of new series lie side by side in one piece of the slab.
    std::vector<uint32_t> tags;
    std::vector<Addition> additions;
    size_t slab_cells = 0;
    const auto fits_slab = [&](const Addition& a) {
        return content_.series[a.series].rows.size() == 0 && a.count() <= kSlabRows;
    };
    for (const BatchSeries* added : batch.active()) {
        const uint32_t tag_id = tag_id_of(*added->slot);
        size_t first_row = 0;
        if (added->form == Form::kScalarTensor) {
            // Single numbers are raw tensors too only from where the tag is known to belong to another plugin.
            if (new_metadata.contains(tag_id)) first_row = added->slot->raw_rows_before_metadata;
            if (is_plain(tag_id) || first_row == added->size) continue;
        }
        const FileSeries& series = series_for(tag_id, added->form);
        additions.push_back({added, static_cast<uint32_t>(&series - content_.series.data()), first_row});
        tags.push_back(tag_id);
        if (fits_slab(additions.back())) slab_cells += column_count(added->form) * additions.back().count();
    }
    std::shared_ptr<Storage> owner;
    uint64_t* at = slab_cells > 0 ? batch.slab.take(slab_cells, owner) : nullptr;
    const bool has_starts = !content_.facts.starts.empty();
    for (const Addition& a : additions) {
        FileSeries& series = content_.series[a.series];
        const size_t columns = column_count(a.added->form);
        if (has_starts) add_breaks(series, *a.added, a.first_row, starts_before);
        std::array<const uint64_t*, kMaxColumns> source{};
        for (size_t i = 0; i < columns; ++i) source[i] = a.added->column[i] + a.first_row;
        if (!fits_slab(a)) {
            series.rows.append(source, a.count(), columns);
            continue;
        }
        std::array<uint64_t*, kMaxColumns> column{};
        for (size_t i = 0; i < columns; ++i, at += a.count()) {
            std::memcpy(at, source[i], a.count() * sizeof(uint64_t));
            column[i] = at;
        }
        series.rows.adopt(owner, column, a.count());
    }
    return tags;
}

std::vector<uint32_t> EventFile::commit(Batch& batch, const ReadState& state) {
    std::lock_guard lock(mutex_);
    fill_now();
    std::unordered_set<uint32_t> new_metadata;
    for (TagSlot* slot : batch.with_metadata()) {
        const TagMetadata metadata{tables_.metadata.intern(slot->metadata), slot->plugin != PluginKnowledge::kOther};
        if (content_.metadata.try_emplace(tag_id_of(*slot), metadata).second) new_metadata.insert(slot->tag_id);
    }
    FileFacts& facts = content_.facts;
    const auto starts_before = static_cast<uint32_t>(facts.starts.size());
    facts.starts.insert(facts.starts.end(), batch.starts.begin(), batch.starts.end());
    std::vector<uint32_t> tags = commit_rows(batch, new_metadata, starts_before);
    facts.record_count += batch.record_count;
    if (!(facts.created_wall_time > 0)) facts.created_wall_time = batch.created_wall_time;
    if (batch.first_wall_time > 0) {
        const bool is_earlier = !(facts.first_wall_time > 0) || batch.first_wall_time < facts.first_wall_time;
        if (is_earlier) facts.first_wall_time = batch.first_wall_time;
        facts.last_wall_time = std::max(facts.last_wall_time, batch.last_wall_time);
    }
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
