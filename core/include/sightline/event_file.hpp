// One event file: how far it has been read, and the series found in it.
//
// A file is read by one reader at a time, which commits batch after batch; any number of threads may look at the
// committed part meanwhile. Everything committed is consistent: state, series and counters move together.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sightline/batch.hpp"
#include "sightline/file_io.hpp"
#include "sightline/interner.hpp"
#include "sightline/record.hpp"
#include "sightline/rows.hpp"

namespace sightline {

// Tables shared by all files of an index.
struct Tables {
    Interner tags;
    Interner metadata;  // serialized SummaryMetadata
};

struct FileSeries {
    uint32_t tag_id = 0;
    Form form = Form::kScalar;
    uint32_t epoch = 0;  // number of STARTs of the file before the newest row
    Rows rows;
    std::vector<Break> breaks;
    // Rows from the first on that are known to be in order of (step, wall time): looked at when somebody asks.
    mutable std::array<uint64_t, 2> sorted_rows{};
};

struct TagMetadata {
    uint32_t metadata_id = 0;
    bool is_plain = true;  // no plugin, or "scalars"
};

// The first bytes of a file: with the header of the last record they tell whether it is still the same file.
struct Head {
    std::array<uint8_t, 64> bytes{};
    uint32_t size = 0;
};

struct FileFacts {
    uint64_t record_count = 0;
    double created_wall_time = 0;  // of the version event; these three are 0 while unknown
    double first_wall_time = 0;    // earliest and latest of the other events
    double last_wall_time = 0;
    std::string file_version;
    std::string source_writer;
    std::vector<SessionStart> starts;
    std::vector<Damage> damage;
    uint64_t damage_count = 0;
    uint64_t skipped_bytes = 0;

    double begin_wall_time() const { return first_wall_time > 0 ? first_wall_time : created_wall_time; }
    double end_wall_time() const { return last_wall_time > 0 ? last_wall_time : created_wall_time; }
};

// All that is known of a file's content. Replaced as a whole when the file is replaced.
struct FileContent {
    FileStat stat;  // when it was last read
    // False while a read is under way, or when it was stopped or failed: then equal time stamps prove nothing.
    bool is_read_to_end = false;
    ReadState state;
    Head head;
    FileFacts facts;
    std::vector<FileSeries> series;
    std::unordered_map<uint32_t, TagMetadata> metadata;  // by tag

    // The series of a tag and form; null when there is none.
    const FileSeries* find(uint32_t tag_id, Form form) const;
    FileSeries& find_or_add(uint32_t tag_id, Form form);

private:
    void index_series() const;
    mutable std::unordered_map<uint64_t, uint32_t> lookup_;  // (tag, form) -> index of series; built when needed
};

constexpr uint64_t series_key(uint32_t tag_id, Form form) {
    return static_cast<uint64_t>(tag_id) << 8 | static_cast<uint64_t>(form);
}
constexpr uint32_t tag_of(uint64_t key) { return static_cast<uint32_t>(key >> 8); }
constexpr Form form_of(uint64_t key) { return static_cast<Form>(key & 0xff); }

// Where a file's content can be had without reading the file (a cache pack). Asked at most once.
class ContentSource {
public:
    ContentSource() = default;
    ContentSource(const ContentSource&) = delete;
    ContentSource& operator=(const ContentSource&) = delete;
    virtual ~ContentSource() = default;
    // Fills series and metadata; false when the stored data turn out to be damaged.
    virtual bool fill(FileContent& content) = 0;
};

// What a commit changed.
struct Committed {
    std::vector<uint32_t> tags;        // that have new rows; a tag comes once for each form
    std::vector<uint64_t> new_series;  // series_key of those that the file did not have, or not with this metadata
};

class EventFile {
public:
    EventFile(uint32_t id, std::string path, std::string run, bool is_stream, Tables& tables);

    const uint32_t id;
    const std::string path;  // bytes as the system has them
    const std::string run;
    const bool is_stream;
    std::string name() const;  // base name

    // Begins reading: returns the state to go on from, after checking that `source` still is the file read so far.
    // When it is another file, or shorter, reading starts at the beginning; what was known stays visible until
    // the end is reached.
    ReadState begin(Source& source, const FileStat& stat);
    // Ends reading. Without `is_read_to_end` a replacement that was begun is forgotten: the next read begins it again.
    void end(bool is_read_to_end, std::string error = {});

    // The first bytes of the file, when reading starts at its beginning.
    void set_head(const uint8_t* bytes, size_t size);

    // Adds the rows of a batch and moves on to `state`. Series of a replacement are not new before its end.
    Committed commit(Batch& batch, const ReadState& state);
    // True when the file has the series and whoever commits has told the owner so (see untold_commits).
    bool has_told_series(uint64_t key);

    // Tells the batch what the file says about plugins, so that it need not keep what commit would drop.
    void share_knowledge(Batch& batch);

    // Takes content from a cache; `lazy` brings the series when they are first looked at.
    void restore(FileContent content, std::unique_ptr<ContentSource> lazy);

    void drop_content();  // back to never read
    void set_stat(const FileStat& stat);

    // Runs `look(content)` with the content complete and held still.
    template <class Look>
    auto with_content(Look&& look) {
        std::lock_guard lock(mutex_);
        fill_now();
        return look(static_cast<const FileContent&>(content_));
    }
    // The same without the series being needed; never touches the cache.
    template <class Look>
    auto with_facts(Look&& look) const {
        std::lock_guard lock(mutex_);
        return look(content_);
    }
    std::string error() const;
    // True when a cache promised content that turned out to be damaged, until the file has been read again.
    bool is_lost();
    uint64_t generation() const;  // grows when content is replaced: offsets into the file mean something else then

    // For use inside with_content.
    uint64_t generation_locked() const { return generation_; }

    // For the owner's book-keeping; guarded by the owner's lock.
    uint64_t seen_in_scan = 0;
    uint64_t saved_offset = 0;
    bool is_doubtful = false;  // from a cache, saved so soon after a change that time stamps prove nothing
    // Commits with new series that the owner has not heard of: two files of a run that get the same series at the same
    // time must not each take the other for the one that had it before.
    std::atomic<uint32_t> untold_commits{0};

private:
    void fill_now();
    uint32_t tag_id_of(TagSlot& slot);
    Committed commit_rows(Batch& batch, const std::unordered_set<uint32_t>& new_metadata, uint32_t starts_before);
    FileContent& written() { return next_ ? *next_ : content_; }

    mutable std::mutex mutex_;
    Tables& tables_;
    FileContent content_;                // what is seen
    std::unique_ptr<FileContent> next_;  // what will replace it, while a replaced file is read
    std::unique_ptr<ContentSource> lazy_;
    bool is_lost_ = false;
    uint64_t generation_ = 1;
    std::string error_;
};

}  // namespace sightline
