// The index: all runs of some log directories, and the passes that keep it up to date.
//
//   roots -> walk -> files -> read -> series          (scan: everything; refresh: only the paths that changed)
//
// One pass runs at a time; queries may be made from any thread while it runs and see each file as of its last
// commit. Lock order: pass_mutex_, save_mutex_ or a stream's, then mutex_, then a file's own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sightline/bulk.hpp"
#include "sightline/event_file.hpp"
#include "sightline/reduce.hpp"
#include "sightline/segmented_read.hpp"

namespace sightline {

struct Root {
    std::string path;    // absolute, without a trailing slash
    std::string prefix;  // put in front of run names, with a slash; may be empty
    std::vector<std::string> include;
    std::vector<std::string> exclude;
};

struct Progress {
    uint64_t files_total = 0;
    uint64_t files_done = 0;
    uint64_t bytes_total = 0;
    uint64_t bytes_done = 0;
    bool is_walking = false;
};

struct RunChange {
    std::string run;
    bool is_removed = false;
    bool is_reset = false;
    bool has_new_series = false;  // of a tag and form that the run did not have; also when the run is new or was reset
    std::vector<std::string> tags;
};

struct SeriesSummary {
    std::string tag;
    Form form = Form::kScalar;
    uint64_t count = 0;
    std::string plugin;
    std::string metadata;
};

struct SeriesPart {
    uint32_t file_id = 0;
    uint64_t generation = 0;  // of the file's content
    Form form = Form::kScalar;
    RowView rows;
    std::vector<Break> breaks;
};

class PackSet;
class Pass;
using KnownDirectories = std::unordered_map<std::string, std::shared_ptr<const DirectoryListing>>;

class Index {
public:
    explicit Index(unsigned threads = 0);
    ~Index();
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;

    size_t add_root(Root root);
    void scan();
    void refresh(const std::vector<std::string>& paths);
    void stop() { is_stopped_ = true; }
    Progress progress() const;

    void watch_changes(bool is_enabled) { has_watchers_ = is_enabled; }
    std::vector<RunChange> take_changes();

    std::vector<std::string> run_names();
    std::vector<std::string> run_directories(const std::string& run);
    std::vector<std::shared_ptr<EventFile>> files(const std::string& run);  // by file name
    std::vector<SeriesSummary> series(const std::string& run);
    std::vector<SeriesPart> parts(const std::string& run, const std::string& tag, Form form);
    uint64_t revision(const std::string& run);
    std::vector<std::string> walk_errors();
    std::shared_ptr<EventFile> file(uint32_t id);

    // Questions about many runs (bulk.cpp). `own_writer` is what the files of our writer call themselves: log messages in
    // those are no tags.
    std::vector<RunFacts> run_table(const std::string& own_writer);  // all, ordered like run_names
    std::vector<RunFacts> run_facts(const std::vector<std::string>& runs, const std::string& own_writer);  // known ones
    TagTable tag_table(const std::string& own_writer);  // tags in order of first appearance
    // One for each of the runs. `x` says which column has to be sorted.
    std::vector<ScalarRows> scalar_rows(const std::vector<std::string>& runs, const std::string& tag, XAxis x);

    // Files whose bytes the caller brings.
    uint32_t add_stream(const std::string& run, const std::string& path);
    uint64_t set_stream_size(uint32_t id, uint64_t size_bytes, const std::string& identity);
    uint64_t feed(uint32_t id, std::string_view data);
    void remove_stream(uint32_t id);

    uint64_t load_cache(const std::string& directory);
    uint64_t save_cache(const std::string& directory);

    const Tables& tables() const { return tables_; }

private:
    friend class Pass;

    struct Run {
        std::vector<std::shared_ptr<EventFile>> files;  // by file name
        uint64_t revision = 0;
    };
    struct Pending {  // what take_changes will report
        bool is_removed = false;
        bool is_reset = false;
        bool has_new_series = false;
        std::set<uint32_t> tags;
    };
    struct Stream;

    // All of these expect mutex_ to be held.
    std::shared_ptr<EventFile> add_file(const std::string& path, const std::string& run, bool is_stream);
    void remove_file(const std::shared_ptr<EventFile>& file);
    bool restore(EventFile& file);  // from the cache, if it knows the file
    enum class News : uint8_t { kRows, kSeries, kReset };
    void touch(const std::string& run, const std::vector<uint32_t>& tags, News news);
    bool is_new_to_run(const EventFile& file, const std::vector<uint64_t>& series);

    struct Sighting {  // an event file that was found
        std::string path;
        std::string run;
        FileStat stat;
        std::shared_ptr<EventFile> to_read;  // set by notice() when there is something new in it
    };
    // Makes files known, from the cache where it knows them. Takes mutex_.
    void notice(std::vector<Sighting>& sightings, uint64_t pass);
    std::shared_ptr<EventFile> notice_one(const Sighting& seen, uint64_t pass);
    struct Listed {
        std::shared_ptr<const DirectoryListing> listing;
        std::string error;
    };
    // Listings of directories, from memory where a directory has not changed since. Takes mutex_.
    std::vector<Listed> list(const std::vector<std::string>& paths);
    void run_pass(Pass& pass, std::vector<Sighting>& found);
    // Drops files at or below the paths that are no longer there. Takes mutex_.
    void remove_vanished(const std::unordered_set<std::string>& paths);
    void note_commit(EventFile& file, const Committed& done, uint64_t bytes);
    void note_end(EventFile& file, bool is_replaced);
    void read_again_if_lost(const std::vector<std::shared_ptr<EventFile>>& files);
    void refresh_locked(const std::vector<std::string>& paths, const std::atomic<bool>& stop);
    std::shared_ptr<Stream> stream_of(uint32_t id);
    struct RunFiles {
        std::string name;
        uint64_t revision = 0;
        std::vector<std::shared_ptr<EventFile>> files;
    };
    // Take mutex_; files whose copy in the cache is damaged have been read again when these return.
    std::vector<RunFiles> files_of_all();
    std::vector<RunFiles> files_of(const std::vector<std::string>& runs);  // no files: unknown
    void read_lost_again(const std::vector<RunFiles>& runs);
    std::vector<RunFacts> facts_of(std::vector<RunFiles> runs, const std::string& own_writer);
    std::string run_name(const Root& root, const std::string& below) const;

    const unsigned threads_;
    Tables tables_;
    std::mutex pass_mutex_;
    std::mutex mutex_;
    std::vector<Root> roots_;
    std::vector<std::shared_ptr<EventFile>> by_id_;
    std::unordered_map<std::string, std::shared_ptr<EventFile>> by_path_;
    std::map<std::string, Run> runs_;
    std::map<std::string, Pending> pending_;
    std::vector<std::string> walk_errors_;
    KnownDirectories directories_;
    std::unordered_map<uint32_t, std::shared_ptr<Stream>> streams_;
    std::mutex save_mutex_;  // one save at a time; taken before mutex_
    std::unique_ptr<PackSet> packs_;
    uint64_t pass_count_ = 0;
    uint64_t revision_ = 0;

    std::atomic<bool> is_stopped_{false};
    std::atomic<bool> has_watchers_{false};
    std::atomic<bool> is_walking_{false};
    std::atomic<uint64_t> files_total_{0};
    std::atomic<uint64_t> files_done_{0};
    std::atomic<uint64_t> bytes_total_{0};
    std::atomic<uint64_t> bytes_done_{0};
};

}  // namespace sightline
