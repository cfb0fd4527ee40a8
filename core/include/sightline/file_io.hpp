// Everything that touches the operating system's files. POSIX today; the one place to add another system.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/window.hpp"

namespace sightline {

// What tells one file from another, and a changed file from an unchanged one.
struct FileStat {
    uint64_t device = 0;
    uint64_t inode = 0;
    uint64_t size = 0;
    int64_t mtime_ns = 0;
    int64_t ctime_ns = 0;
    bool operator==(const FileStat&) const = default;
    bool is_same_file(const FileStat& o) const { return device == o.device && inode == o.inode; }
};

enum class PathKind { kNone, kFile, kDirectory, kOther };

// Follows links. kNone when nothing is there; `error` then says why if it was not simply absent.
PathKind stat_path(const std::string& path, FileStat& out, std::string* error = nullptr);

// An open file. Reading is positional: any number of threads may share one.
class File final : public Source {
public:
    ~File() override;
    // Empty string when it worked, else one clear phrase.
    std::string open(const std::string& path);
    const FileStat& stat() const { return stat_; }
    int descriptor() const { return fd_; }
    // Why the last read gave less than asked for; empty when the file simply ended.
    std::string read_error() const;
    uint64_t size() const override { return stat_.size; }
    size_t read(uint64_t offset, uint8_t* out, size_t size) override;

private:
    int fd_ = -1;
    std::atomic<int> read_errno_{0};
    FileStat stat_;
};

// One directory, split by what the walk has to do with each entry.
struct DirectoryListing {
    FileStat stat;  // of the directory
    int64_t listed_ns = 0;
    std::vector<std::string> events;  // regular files (or links to some) whose name contains "tfevents"
    std::vector<std::string> directories;
    std::vector<std::string> links;  // links to directories
    // False when an entry may change without the directory changing: a link that leads nowhere yet.
    bool is_complete = true;
};

// Empty string when it worked, else one clear phrase.
std::string list_directory(const std::string& path, DirectoryListing& out);

// Time stamps of files may be this coarse: what changed less than that before it was looked at may change again
// without a trace.
inline constexpr int64_t kSettledNs = 2'000'000'000;
int64_t now_ns();
inline bool is_settled(const FileStat& stat, int64_t looked_at_ns) {
    return looked_at_ns - (stat.mtime_ns > stat.ctime_ns ? stat.mtime_ns : stat.ctime_ns) > kSettledNs;
}

bool is_event_file_name(std::string_view name);

}  // namespace sightline
