// One event file that is being written, and the thread that writes it.
//
//   caller's thread                     │ the sink's thread
//   add_…: copy into a buffer, return   │ take the buffer; encode, checksum, write; every flush_secs / 2, or sooner when
//                                       │ much is waiting or somebody asks
//
// Promises, in the order in which they win when they collide:
//   1. The caller never waits for long and never fails. While the disk answers, a full buffer makes the caller wait (a
//      slow disk slows training rather than losing data). While it does not (full, gone, hanging), nobody waits: what
//      fits in max_pending_bytes is kept and tried again, what comes on top is dropped and counted.
//   2. The file is a prefix of what was given, cut between two records: all writing is positional, so that what failed
//      halfway is written again in place.
//   3. A forked child never touches its parent's file. It begins its own at its first value.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/event_encode.hpp"
#include "sightline/histogram.hpp"

namespace sightline {

struct SinkOptions {
    std::string directory;
    std::string hostname;
    std::string suffix;
    double flush_secs = 1;
    size_t max_pending_bytes = 64 << 20;
    bool is_forked_child = false;       // said in the file: it was written beside its parent's, not after it
    std::optional<int64_t> purge_step;  // everything logged before, at this step or later, is superseded

    // A disk that takes nothing for so long is not slow but stuck: callers no longer wait for it, …
    double stall_patience_secs = 10;
    // … and neither do flush and close after this time.
    double flush_patience_secs = 30;
    // How the system's pwrite is called. Tests put their own disk here.
    std::function<ssize_t(int, const void*, size_t, off_t)> write;
};

struct SinkNotice {
    const char* level;  // "info", "warning", "error"
    std::string text;
};

// Why the first file could not be made; `code` is an errno.
struct SinkError {
    int code;
    std::string path;
};

enum class HistogramStyle : uint8_t { kGeometric, kUniform };

struct HistogramItem {
    std::string tag;
    std::string metadata;  // serialized SummaryMetadata or empty
    HistogramStyle style = HistogramStyle::kGeometric;
    DType dtype = DType::kFloat64;
    size_t max_bins = 0;
    size_t buckets = 30;
    std::unique_ptr<uint8_t[]> data;
    size_t count = 0;
    size_t size_bytes() const { return count * size_bytes_of(dtype); }
    // What it counts in the buffer.
    size_t charged_bytes() const { return sizeof(*this) + tag.size() + metadata.size() + size_bytes(); }
};

enum class Added {
    kQuietly,      // done: taken, or dropped and counted
    kWithNotices,  // likewise, and there is something to say
    kFull,         // not taken: call wait_for_room, then try again
    kRoom,         // only from probe: there is room
};

// Called now and then by methods that wait, without any lock; true makes them return.
using Interrupt = std::function<bool()>;

double wall_time_now();

class SinkCore;

// All methods may be called from any thread. Those that wait say so.
class Sink {
public:
    // Makes the directory and the file, with its first record. Throws SinkError.
    explicit Sink(SinkOptions options);
    // Writes what is waiting; gives up soon when the disk does not answer.
    ~Sink();
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    // Whether something of this size would be taken now. When it would be dropped it counts as dropped.
    Added probe(size_t size_bytes);
    // One event with all values. These never wait.
    Added add_scalars(const ScalarValue* values, size_t count, int64_t step, double wall_time);
    Added add_event(const void* event, size_t size);
    // Leaves the item alone unless it takes it.
    Added add_histogram(HistogramItem& item, int64_t step, double wall_time);

    // Waits, for as long as the disk makes progress, until something of this size would be taken or dropped.
    void wait_for_room(size_t size_bytes, const Interrupt& is_interrupted = {});
    // Waits until all that was given is written, or an attempt to write has failed. False: something is not written, or
    // was lost since the last flush.
    bool flush(const Interrupt& is_interrupted = {});
    // Writes what it can, closes the file and ends the thread. False: something was lost since the file was opened.
    bool close(const Interrupt& is_interrupted = {});

    std::vector<SinkNotice> take_notices();
    std::string path();
    bool is_open();
    std::string problem();
    size_t pending_bytes();
    uint64_t lost_events();
    int64_t last_step();

private:
    struct Holder;
    SinkCore& core();
    Holder* holder_after_fork(Holder* inherited);
    void replace_hung_core(Holder* hung);

    const SinkOptions options_;
    std::string first_path_;
    // Replaced in a forked child, where the old one may be locked for ever, and when a write never comes back.
    std::atomic<Holder*> holder_{nullptr};
};

}  // namespace sightline
