// One large file, read by several threads at once.
//
// The file is cut in segments. A thread takes the next segment, looks for the first whole record in it and decodes
// from there: a guess, because only following the chain of records from the beginning tells where records really
// begin (data may contain bytes that look like one). Segments are committed in order; when the chain arrives
// exactly at the guessed record, the guess was right and the batch counts. Otherwise the segment is read again from where
// the chain really is. The result is therefore always that of reading from front to back.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "sightline/event_file.hpp"

namespace sightline {

// What a thread needs to read with. Reused from file to file.
struct Workspace {
    Window window;
    Batch batch;
};

// Called after each commit with what it changed and the number of bytes passed.
using CommitHook = std::function<void(const Committed& done, uint64_t bytes)>;

// Reads from front to back on the calling thread, committing every few MiB. Stops early when `stop` is set. True when
// the end of the source was reached (and not merely the end of what could be read of it).
bool read_in_order(EventFile& file, Source& source, ReadState state, Workspace& workspace, const CommitHook& hook,
                   const std::atomic<bool>& stop);

class SegmentedRead {
public:
    SegmentedRead(EventFile& file, Source& source, const ReadState& state, CommitHook hook,
                  const std::atomic<bool>& stop, uint64_t segment_bytes = kSegmentBytes);

    // Reads segments until none is left to take. Any number of threads may help at once.
    void help(Workspace& workspace);
    // What went wrong in any of them (memory ran out); empty when nothing did.
    std::string error();
    // After all helpers have returned: was everything read?
    bool is_read_to_end() const { return is_complete_; }
    bool has_work() const;

    static constexpr uint64_t kSegmentBytes = 2 << 20;
    // Below this the rest of a file is read by one thread.
    static constexpr uint64_t kMinBytes = 8 << 20;

private:
    void read_segment(uint64_t k, Workspace& workspace);

    EventFile& file_;
    Source& source_;
    const uint64_t begin_;
    const uint64_t segment_bytes_;
    const uint64_t count_;
    CommitHook hook_;
    const std::atomic<bool>& stop_;
    std::atomic<uint64_t> next_{0};
    std::atomic<bool> is_ended_{false};
    std::atomic<bool> is_complete_{false};

    std::mutex mutex_;
    std::condition_variable turn_;
    uint64_t committed_ = 0;
    std::string error_;
    ReadState state_;  // after the committed segments
};

}  // namespace sightline
