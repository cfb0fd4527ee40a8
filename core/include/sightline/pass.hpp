// One pass over the roots: threads that walk directories and read the files found, newest first.
//
// Directories and files are tasks of one queue. For the first moments all threads walk, so that the newest files are
// known before reading begins; a tree that takes longer to walk is walked by half of the threads while the others
// already read. A large file is opened up for all threads that have nothing else to do.
//
// Links to directories are followed only after everything that needs no link, in order of their paths, and no directory
// is entered twice: loops end, and a run's name does not depend on timing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/index.hpp"

namespace sightline {

class Pass {
public:
    // `stop`: ends the pass early when it becomes true.
    Pass(Index& index, const std::atomic<bool>& stop);

    // The whole of a root, or a part of it.
    void add_directory(size_t root, std::string path, std::string below);
    void add_file(std::shared_ptr<EventFile> file, const FileStat& stat);
    // Returns when all is done. Rethrows what stopped a thread (out of memory).
    void run();

    // Do the root's include and exclude patterns let a run at this path through? A directory that is excluded
    // takes everything below it along.
    bool is_wanted(const Root& root, const std::string& below) const;
    bool is_excluded(const Root& root, const std::string& below) const;
    bool is_excluded_anywhere(const Root& root, const std::string& below) const;

    const std::vector<std::string>& errors() const { return errors_; }
    uint64_t number() const { return number_; }

private:
    struct Directory {
        size_t root;
        std::string path;
        std::string below;  // path below the root; empty for the root itself
    };
    struct FileTask {
        int64_t mtime_ns;
        uint64_t order;
        std::shared_ptr<EventFile> file;
        uint64_t new_bytes;
        bool operator<(const FileTask& o) const { return std::pair(mtime_ns, o.order) < std::pair(o.mtime_ns, order); }
    };
    struct Shared {  // a large file that threads may join
        SegmentedRead* read;
        unsigned helpers;  // threads inside, besides its owner, who waits for them
    };
    using Lock = std::unique_lock<std::mutex>;

    void work() noexcept;
    void work_until_done();
    bool take_task(Lock& lock, Workspace& workspace);
    bool may_walk() const;
    void walk(Lock& lock, std::vector<Directory> batch);
    void add_below(const Directory& directory, const DirectoryListing& listing);
    void take_next_link();
    void read(Lock& lock, FileTask task, Workspace& workspace);
    // Whether the end was reached; `error` says what prevented it.
    bool read_from(File& source, EventFile& file, Workspace& workspace, const CommitHook& hook, std::string& error);
    void help(Lock& lock, Shared& shared, Workspace& workspace);

    Index& index_;
    const std::atomic<bool>& stop_;
    std::exception_ptr failure_;
    uint64_t number_ = 0;
    std::chrono::steady_clock::time_point started_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Directory> directories_;
    std::map<std::pair<size_t, std::string>, Directory> links_;  // by root and path below it
    std::set<std::pair<uint64_t, uint64_t>> visited_;            // device, inode
    std::priority_queue<FileTask> files_;
    std::list<Shared> shared_;
    unsigned walking_ = 0;
    unsigned busy_ = 0;
    uint64_t file_order_ = 0;
    std::vector<std::string> errors_;
};

}  // namespace sightline
