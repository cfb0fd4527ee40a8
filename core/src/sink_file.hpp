// The file of a sink: made, checked, written at a position, begun anew when it was taken away.
//
// Used by one thread at a time. Nothing here throws for what the disk does: trouble is a value.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sightline/sink.hpp"

namespace sightline {

struct Trouble {
    int code = 0;      // errno; 0 with a text: something that is no error of the system
    std::string text;  // empty: no trouble
    std::string path;
    explicit operator bool() const { return !text.empty(); }
};

Trouble trouble_from(int code, const std::string& path);

class SinkFile {
public:
    explicit SinkFile(const SinkOptions& options) : options_(options) {}
    SinkFile(const SinkFile&) = delete;
    SinkFile& operator=(const SinkFile&) = delete;
    ~SinkFile() { close(); }

    // Makes a file that no one else has, with its first records; nothing is left behind when that fails.
    Trouble create(bool may_make_directory, bool is_purging);
    bool is_open() const { return descriptor_.load(std::memory_order_relaxed) >= 0; }
    const std::string& path() const { return path_; }

    enum class Place { kSame, kMoved, kGone };
    // Whether the path still leads to this file. kMoved: the file has another path now, and path() is that one.
    Place look();

    // Writes data[done..size) behind what was written before and moves `done`; `progress` grows while it goes on.
    Trouble write(const uint8_t* data, size_t size, size_t& done, std::atomic<uint64_t>& progress);
    // Takes back the last bytes that were written. Best effort.
    void take_back(size_t bytes);
    // Errno of what the system kept to itself until now; 0 mostly.
    int close();

    // For a forked child: frees the descriptor and touches nothing else.
    void close_inherited();

private:
    const SinkOptions& options_;
    std::string path_;
    std::atomic<int> descriptor_{-1};
    uint64_t offset_ = 0;
    // Some file systems in user space count no links, or number a file differently each time it is looked at.
    bool has_link_count_ = true;
    bool has_stable_inode_ = true;
};

}  // namespace sightline
