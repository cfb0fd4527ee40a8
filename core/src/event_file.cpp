#include "sightline/event_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sightline {
namespace {

// Series that start with more rows than this get buffers of their own, which can grow without being copied.
constexpr size_t kSlabRows = 16 << 10;

// So few series are gone through one by one: an index of ten thousand files would need more memory than their series.
constexpr size_t kFewSeries = 64;

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
    next_.reset();
    const bool is_known = content_.head.size > 0;
    // Written to without growing: not what a writer of events does, so somebody has put something else there.
    const bool is_rewritten =
        content_.is_read_to_end && stat.size == content_.stat.size && stat.mtime_ns != content_.stat.mtime_ns;
    if (is_known && (is_rewritten || stat.size < content_.state.offset || !is_same_content(source, content_)))
        next_ = std::make_unique<FileContent>();
    FileContent& target = written();
    target.stat = stat;
    target.is_read_to_end = false;
    return target.state;
}

void EventFile::end(bool is_read_to_end, std::string error) {
    std::lock_guard lock(mutex_);
    error_ = std::move(error);
    is_lost_ = is_lost_ && !is_read_to_end && error_.empty();
    if (is_read_to_end && next_ != nullptr) {
        content_ = std::move(*next_);
        next_.reset();
        ++generation_;
    }
    const bool is_dropped = next_ != nullptr && !is_read_to_end;  // then all is as before this read
    next_.reset();
    if (!is_dropped) content_.is_read_to_end = is_read_to_end;
}

void EventFile::set_head(const uint8_t* bytes, size_t size) {
    std::lock_guard lock(mutex_);
    Head& head = written().head;
    head.size = static_cast<uint32_t>(std::min(size, head.bytes.size()));
    std::memcpy(head.bytes.data(), bytes, head.size);
}

void FileContent::index_series() const {
    if (lookup_.size() == series.size()) return;
    for (uint32_t i = 0; i < series.size(); ++i) lookup_.emplace(series_key(series[i].tag_id, series[i].form), i);
}

const FileSeries* FileContent::find(uint32_t tag_id, Form form) const {
    if (series.size() <= kFewSeries && lookup_.size() != series.size()) {
        for (const FileSeries& s : series)
            if (s.tag_id == tag_id && s.form == form) return &s;
        return nullptr;
    }
    index_series();
    const auto found = lookup_.find(series_key(tag_id, form));
    return found == lookup_.end() ? nullptr : &series[found->second];
}

FileSeries& FileContent::find_or_add(uint32_t tag_id, Form form) {
    index_series();
    const auto [at, is_new] = lookup_.try_emplace(series_key(tag_id, form), static_cast<uint32_t>(series.size()));
    if (is_new) {
        series.emplace_back();
        series.back().tag_id = tag_id;
        series.back().form = form;
    }
    return series[at->second];
}

namespace {

bool is_plain(const FileContent& content, uint32_t tag_id) {
    const auto found = content.metadata.find(tag_id);
    return found == content.metadata.end() || found->second.is_plain;
}

// Notes where STARTs stand between the rows of a series. `starts_before`: how many the file had before this batch.
void add_breaks(const std::vector<SessionStart>& starts, FileSeries& series, const BatchSeries& added, size_t first_row,
                uint32_t starts_before) {
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

}  // namespace

uint32_t EventFile::tag_id_of(TagSlot& slot) {
    if (slot.tag_id == TagSlot::kNoId) slot.tag_id = tables_.tags.intern(printable_utf8(slot.tag));
    return slot.tag_id;
}

Committed EventFile::commit_rows(Batch& batch, const std::unordered_set<uint32_t>& new_metadata,
                                 uint32_t starts_before) {
    struct Addition {
        const BatchSeries* added;
        uint32_t series;   // index
        size_t first_row;  // rows of the batch before this one are left out
        size_t count() const { return added->size - first_row; }
    };
    // First find each series, then copy: rows of new series lie side by side in one piece of the slab.
    FileContent& content = written();
    Committed done;
    std::vector<Addition> additions;
    size_t slab_cells = 0;
    const auto fits_slab = [&](const Addition& a) {
        return content.series[a.series].rows.size() == 0 && a.count() <= kSlabRows;
    };
    for (const BatchSeries* added : batch.active()) {
        const uint32_t tag_id = tag_id_of(*added->slot);
        size_t first_row = 0;
        if (added->form == Form::kScalarTensor) {
            // Single numbers are raw tensors too only from where the tag is known to belong to another plugin.
            if (new_metadata.contains(tag_id)) first_row = added->slot->raw_rows_before_metadata;
            if (is_plain(content, tag_id) || first_row == added->size) continue;
        }
        const FileSeries& series = content.find_or_add(tag_id, added->form);
        additions.push_back({added, static_cast<uint32_t>(&series - content.series.data()), first_row});
        done.tags.push_back(tag_id);
        if (next_ == nullptr && (series.rows.size() == 0 || new_metadata.contains(tag_id)))
            done.new_series.push_back(series_key(tag_id, added->form));
        if (fits_slab(additions.back())) slab_cells += column_count(added->form) * additions.back().count();
    }
    std::shared_ptr<Storage> owner;
    uint64_t* at = slab_cells > 0 ? batch.slab.take(slab_cells, owner) : nullptr;
    const auto& starts = content.facts.starts;
    for (const Addition& a : additions) {
        FileSeries& series = content.series[a.series];
        const size_t columns = column_count(a.added->form);
        if (!starts.empty()) add_breaks(starts, series, *a.added, a.first_row, starts_before);
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
    return done;
}

Committed EventFile::commit(Batch& batch, const ReadState& state) {
    std::lock_guard lock(mutex_);
    fill_now();
    FileContent& content = written();
    std::unordered_set<uint32_t> new_metadata;
    for (TagSlot* slot : batch.with_metadata()) {
        const TagMetadata metadata{tables_.metadata.intern(slot->metadata), slot->is_metadata_plain};
        if (content.metadata.try_emplace(tag_id_of(*slot), metadata).second) new_metadata.insert(slot->tag_id);
    }
    FileFacts& facts = content.facts;
    const auto starts_before = static_cast<uint32_t>(facts.starts.size());
    facts.starts.insert(facts.starts.end(), batch.starts.begin(), batch.starts.end());
    Committed done = commit_rows(batch, new_metadata, starts_before);
    if (!done.new_series.empty()) ++untold_commits;
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
    content.state = state;
    return done;
}

bool EventFile::has_told_series(uint64_t key) {
    std::lock_guard lock(mutex_);
    fill_now();
    return untold_commits == 0 && content_.find(tag_of(key), form_of(key)) != nullptr;
}

void EventFile::share_knowledge(Batch& batch) {
    std::lock_guard lock(mutex_);
    const auto& metadata = written().metadata;
    if (metadata.empty()) return;
    for (auto& slot : batch.slots()) {
        if (slot->tag_id == TagSlot::kNoId) continue;
        const auto found = metadata.find(slot->tag_id);
        if (found != metadata.end())
            slot->plugin = found->second.is_plain ? PluginKnowledge::kNoneOrScalars : PluginKnowledge::kOther;
    }
}

void EventFile::restore(FileContent content, std::unique_ptr<ContentSource> lazy) {
    std::lock_guard lock(mutex_);
    content_ = std::move(content);
    lazy_ = std::move(lazy);
}

void EventFile::drop_content() {
    std::lock_guard lock(mutex_);
    lazy_.reset();
    content_ = {};
    ++generation_;
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

bool EventFile::is_lost() {
    std::lock_guard lock(mutex_);
    fill_now();
    return is_lost_;
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
