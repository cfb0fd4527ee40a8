// Everything of a sink that lies behind a lock: the queue, the thread, the file and what is known about their trouble.
//
// A forked child, and a sink whose disk hangs, leave their core behind for ever, locked or not, and take a new one. That
// is why it is apart from Sink. What callers do is in sink_core.cpp, what the thread does in sink_thread.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "sightline/sink.hpp"
#include "sink_file.hpp"
#include "sink_queue.hpp"

namespace sightline {

class SinkCore : public std::enable_shared_from_this<SinkCore> {
public:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;
    using Lock = std::unique_lock<std::mutex>;

    explicit SinkCore(const SinkOptions& options);

    // The first file, on the caller's thread, so that a wrong directory is an error where it was given.
    Trouble open_first();
    // What a core takes over from the one that it replaces.
    void inherit(std::string path, int64_t last_step, uint64_t lost_events, std::vector<SinkNotice> notices);

    Added probe(size_t size_bytes);
    Added add_scalars(const ScalarValue* values, size_t count, int64_t step, double wall_time);
    Added add_event(const void* event, size_t size);
    Added add_histogram(HistogramItem& item, int64_t step, double wall_time);

    void wait_for_room(size_t size_bytes, const Interrupt& is_interrupted);
    bool flush(const Interrupt& is_interrupted);
    enum class Closing { kGood, kWithLoss, kHung };
    Closing close(Seconds patience, const Interrupt& is_interrupted);
    // After kHung: the thread is left to itself and ends when the system lets go of it.
    void abandon();

    std::vector<SinkNotice> take_notices();
    std::string path();
    bool is_open();
    std::string problem();
    size_t pending_bytes();
    uint64_t lost_events();
    int64_t last_step();

    // For a forked child, which must not lock: these touch what lay in memory when it was forked.
    int64_t inherited_last_step() const { return last_step_; }
    void close_inherited_file() { file_.close_inherited(); }

    static constexpr int64_t kNoStep = std::numeric_limits<int64_t>::min();

private:
    // -- callers, with the lock held where a Lock is passed or named
    enum class Room { kTaken, kDropped, kFull };
    Room room_for(size_t charged_bytes);
    Added add(size_t charged_bytes, auto push);
    Added finish_adding(Lock& lock, Room room);
    void start_thread();
    bool try_to_start_thread();
    enum class Waited { kDone, kStalled, kInterrupted };
    Waited wait(Lock& lock, Seconds patience, const Interrupt& is_interrupted, auto is_done);
    void enter_trouble(const Trouble& trouble);
    void say(const char* level, std::string text);

    // -- the thread
    void run();
    void wait_for_work(Lock& lock);
    bool is_closing() const { return close_requests_ > closes_done_; }
    bool is_due() const;
    bool drain_once(Lock& lock);
    uint64_t encode(ChunkList& chunks);
    void encode_item(const ItemHead& head, const uint8_t* body);
    void encode_histogram(const ItemHead& head, const HistogramItem& item);
    bool write_batch(Lock& lock);
    Trouble try_to_write();
    Trouble ensure_file();
    uint64_t keep_whole_records();
    void leave_trouble();
    void drop_queue();
    void finish_closing(Lock& lock);
    void say_new_notices();

    const SinkOptions options_;
    const Clock::duration write_interval_;
    const size_t batch_bytes_;  // worth writing before its time

    // -- the thread's own; touched by others only before it starts and after it ended
    SinkFile file_;
    RecordBuffer batch_;
    std::vector<ScalarValue> values_;  // of the event at hand
    size_t batch_done_ = 0;            // bytes of it that are in the file
    bool is_first_file_ = true;        // the one that purge_step is for
    bool may_make_directory_ = true;   // not to replace one that somebody removed
    std::string removed_path_;         // of a file that was taken away and is not replaced yet
    std::unordered_set<std::string> tags_told_;
    std::vector<SinkNotice> new_notices_;

    std::atomic<uint64_t> progress_{0};  // bytes

    // -- behind the lock
    std::mutex mutex_;
    std::condition_variable work_;     // the thread waits here
    std::condition_variable settled_;  // everybody else
    std::thread thread_;
    bool is_running_ = false;
    bool is_abandoned_ = false;
    bool is_idle_ = false;     // the thread waits for a first item
    bool is_waiting_ = false;  // the thread waits for more items or for time to pass
    bool is_writing_ = false;  // the thread is in the system's hands
    ItemQueue queue_;
    Clock::time_point oldest_{};  // nothing in the queue is older
    size_t pending_bytes_ = 0;
    uint64_t given_events_ = 0;
    uint64_t settled_events_ = 0;  // written or dropped again
    uint64_t flush_target_ = 0;
    uint64_t close_requests_ = 0;
    uint64_t closes_done_ = 0;
    bool is_last_close_good_ = true;
    bool is_retry_wanted_ = false;
    uint64_t attempts_ = 0;
    uint64_t last_failed_attempt_ = 0;
    bool is_troubled_ = false;
    std::string problem_;
    std::string path_;
    uint64_t lost_events_ = 0;
    uint64_t lost_before_trouble_ = 0;
    uint64_t lost_before_session_ = 0;
    uint64_t lost_before_flush_ = 0;
    bool is_trouble_told_ = false;
    Clock::time_point trouble_told_at_{};
    int64_t last_step_ = kNoStep;
    std::vector<SinkNotice> notices_;
};

// "1 event", "2 events"
std::string count_text(uint64_t count, const char* one, const char* many);

}  // namespace sightline
