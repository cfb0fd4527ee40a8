// The caller's side of a sink: taking, waiting, closing.
#include "sink_core.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "sightline/record.hpp"

namespace sightline {
namespace {

using namespace std::chrono_literals;

// A quarter of a megabyte is some ten milliseconds of a disk's time and five thousand scalars.
constexpr size_t kBatchBytes = 256 << 10;
// By how much the record of an event can be larger than its item, and what each value adds to that. Both count from
// the beginning, so that what waits does not grow when it is encoded.
constexpr size_t kMaxGrowthBytes = 24;
constexpr size_t kMaxValueGrowthBytes = 12;
// When the disk is known to be stuck, flush asks only whether that is still so.
constexpr SinkCore::Seconds kStalledFlushPatience = 1s;
// How often one who waits looks around.
constexpr auto kLook = 200ms;
constexpr auto kTellAgain = 60s;
// Unread notices are not kept for ever.
constexpr size_t kMaxNotices = 100;

std::string size_text(size_t bytes) {
    char text[32];
    if (bytes < 10'000)
        std::snprintf(text, sizeof(text), "%zu bytes", bytes);
    else if (bytes < 10'000'000)
        std::snprintf(text, sizeof(text), "%zu kB", bytes / 1000);
    else
        std::snprintf(text, sizeof(text), "%zu MB", bytes / 1'000'000);
    return text;
}

// Head and pointer of an item that lies elsewhere; the queue owns it from then on.
template <class T>
void push_pointer(ItemQueue& queue, ItemKind kind, std::unique_ptr<T>& item, size_t charged_bytes, int64_t step,
                  double wall_time) {
    constexpr size_t kSize = sizeof(ItemHead) + sizeof(void*);
    uint8_t* p = queue.push(kSize, charged_bytes);
    const ItemHead head{ItemKind{kind}, kSize, wall_time, step};
    std::memcpy(p, &head, sizeof(head));
    const void* pointer = item.release();
    std::memcpy(p + sizeof(head), &pointer, sizeof(pointer));
}

SinkCore::Clock::duration clock_time(double seconds) {
    return std::chrono::duration_cast<SinkCore::Clock::duration>(SinkCore::Seconds(std::clamp(seconds, 0.0, 1e6)));
}

}  // namespace

std::string count_text(uint64_t count, const char* one, const char* many) {
    std::string text = std::to_string(count);
    return text.append(" ").append(count == 1 ? one : many);
}

SinkCore::SinkCore(const SinkOptions& options)
    : options_(options),
      // Half of the time is for waiting, the other half for a slow disk.
      write_interval_(clock_time(options.flush_secs / 2)),
      batch_bytes_(std::min(kBatchBytes, options.max_pending_bytes / 2)),
      file_(options_) {}

Trouble SinkCore::open_first() {
    Trouble trouble = file_.create(true, true);
    if (trouble) return trouble;
    is_first_file_ = may_make_directory_ = false;
    path_ = file_.path();
    const Lock lock(mutex_);
    try {
        start_thread();
    } catch (const std::system_error& error) {
        return trouble_from(error.code().value(), path_);
    }
    return {};
}

void SinkCore::inherit(std::string path, int64_t last_step, uint64_t lost_events, std::vector<SinkNotice> notices) {
    path_ = std::move(path);
    notices_ = std::move(notices);
    last_step_ = last_step;
    lost_events_ = lost_before_session_ = lost_before_flush_ = lost_events;
    is_first_file_ = false;
}

void SinkCore::start_thread() {
    if (thread_.joinable()) thread_.join();  // it has ended: is_running_ was false
    // Signals are for the threads that know what to do with them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_ = std::thread([self = shared_from_this()] { self->run(); });
        is_running_ = true;
    } catch (...) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool SinkCore::try_to_start_thread() {
    try {
        start_thread();
        return true;
    } catch (const std::system_error& error) {
        Trouble trouble = trouble_from(error.code().value(), path_);
        trouble.text.insert(0, "no thread can be started: ");
        enter_trouble(trouble);
        return false;
    }
}

// -- giving

SinkCore::Room SinkCore::room_for(size_t charged_bytes) {
    const bool is_full = pending_bytes_ > 0 && pending_bytes_ + charged_bytes > options_.max_pending_bytes;
    if (!is_full && !is_abandoned_) [[likely]]
        return Room::kTaken;
    if (!is_troubled_ && !is_abandoned_) return Room::kFull;
    if (lost_events_++ == lost_before_trouble_) {
        std::string text = "New events are dropped from now on: ";
        text.append(size_text(pending_bytes_)).append(" wait already, because of: ").append(problem_);
        say("error", std::move(text));
    }
    return Room::kDropped;
}

// Wakes the thread if it has reason to look, and unlocks.
Added SinkCore::finish_adding(Lock& lock, Room room) {
    if (room == Room::kFull) return Added::kFull;
    bool is_wake_up = false;
    if (room == Room::kTaken) {
        ++given_events_;
        if (!is_running_) [[unlikely]] {
            try_to_start_thread();
        } else if (is_idle_ || (is_waiting_ && queue_.charged_bytes() >= batch_bytes_)) {
            is_wake_up = true;
            is_idle_ = is_waiting_ = false;  // once is enough
        }
    }
    const bool has_notices = !notices_.empty();
    lock.unlock();
    if (is_wake_up) work_.notify_one();
    return has_notices ? Added::kWithNotices : Added::kQuietly;
}

Added SinkCore::probe(size_t size_bytes) {
    Lock lock(mutex_);
    const Room room = room_for(size_bytes);
    return room == Room::kTaken ? Added::kRoom : finish_adding(lock, room);
}

// `push` puts the item into the queue; it may run out of memory, and then must not have changed anything.
Added SinkCore::add(size_t charged_bytes, auto push) {
    Lock lock(mutex_);
    Room room = room_for(charged_bytes);
    if (room == Room::kTaken) {
        try {
            push();
            pending_bytes_ += charged_bytes;
        } catch (const std::bad_alloc&) {
            if (lost_events_++ == lost_before_flush_) say("error", "There is no memory left: events are dropped");
            room = Room::kDropped;
        }
    }
    return finish_adding(lock, room);
}

Added SinkCore::add_scalars(const ScalarValue* values, size_t count, int64_t step, double wall_time) {
    size_t size = sizeof(ItemHead);
    for (size_t i = 0; i < count; ++i) size += 8 + values[i].tag.size();
    const size_t charged = size + kMaxGrowthBytes + count * kMaxValueGrowthBytes;
    if (size > ItemQueue::kMaxInlineBytes) {
        RecordBuffer record;
        append_scalars(record, wall_time, step, values, count);
        const Added added = add_event(record.data() + kHeaderBytes, record.size() - kFrameBytes);
        const Lock lock(mutex_);
        if (added != Added::kFull) last_step_ = std::max(last_step_, step);
        return added;
    }
    return add(charged, [&] {
        uint8_t* p = queue_.push(size, charged);
        const ItemHead head{ItemKind::kScalars, static_cast<uint32_t>(size), wall_time, step};
        std::memcpy(p, &head, sizeof(head));
        p += sizeof(head);
        for (size_t i = 0; i < count; ++i) {
            const auto tag_size = static_cast<uint32_t>(values[i].tag.size());
            std::memcpy(p, &values[i].value, 4);
            std::memcpy(p + 4, &tag_size, 4);
            if (tag_size > 0) std::memcpy(p + 8, values[i].tag.data(), tag_size);
            p += 8 + tag_size;
        }
        last_step_ = std::max(last_step_, step);
    });
}

Added SinkCore::add_event(const void* event, size_t size) {
    const size_t item_size = sizeof(ItemHead) + size;
    const size_t charged = item_size + kMaxGrowthBytes;
    if (item_size <= ItemQueue::kMaxInlineBytes) {
        return add(charged, [&] {
            uint8_t* p = queue_.push(item_size, charged);
            const ItemHead head{ItemKind::kEvent, static_cast<uint32_t>(item_size), 0, 0};
            std::memcpy(p, &head, sizeof(head));
            if (size > 0) std::memcpy(p + sizeof(head), event, size);
        });
    }
    // The copy is made without the lock. Room comes first: a copy that finds none would lie in memory that nobody counts.
    const Added probed = probe(charged);
    if (probed != Added::kRoom) return probed;
    std::unique_ptr<LargeEvent> large(new LargeEvent{std::unique_ptr<uint8_t[]>(new uint8_t[size]), size});
    std::memcpy(large->data.get(), event, size);
    return add(charged, [&] { push_pointer(queue_, ItemKind::kLargeEvent, large, charged, 0, 0); });
}

Added SinkCore::add_histogram(HistogramItem& item, int64_t step, double wall_time) {
    const size_t charged = item.charged_bytes();
    return add(charged, [&] {
        auto owned = std::make_unique<HistogramItem>();
        std::swap(*owned, item);
        try {
            push_pointer(queue_, ItemKind::kHistogram, owned, charged, step, wall_time);
        } catch (...) {
            std::swap(*owned, item);
            throw;
        }
    });
}

// -- waiting

// Gives up when the thread is in the system's hands and nothing moves for as long as `patience`.
SinkCore::Waited SinkCore::wait(Lock& lock, Seconds patience, const Interrupt& is_interrupted, auto is_done) {
    uint64_t seen = progress_.load(std::memory_order_relaxed);
    Clock::time_point since = Clock::now();
    while (!is_done()) {
        if (settled_.wait_for(lock, kLook) == std::cv_status::timeout && is_interrupted) {
            lock.unlock();
            const bool is_over = is_interrupted();
            lock.lock();
            if (is_over) return is_done() ? Waited::kDone : Waited::kInterrupted;
        }
        const uint64_t now = progress_.load(std::memory_order_relaxed);
        if (now != seen || !is_writing_) {
            seen = now;
            since = Clock::now();
        } else if (Clock::now() - since >= patience) {
            return is_done() ? Waited::kDone : Waited::kStalled;
        }
    }
    return Waited::kDone;
}

void SinkCore::wait_for_room(size_t size_bytes, const Interrupt& is_interrupted) {
    Lock lock(mutex_);
    flush_target_ = given_events_;
    work_.notify_one();
    // A good part of the buffer, so that a caller who fills it again at once does not come back for every item. And more
    // than is asked for: an item is charged with its encoded size, which the caller does not know.
    const size_t wanted = std::max(size_bytes * 2 + 256, options_.max_pending_bytes / 4);
    const auto has_room = [&] {
        return is_troubled_ || is_abandoned_ || pending_bytes_ == 0 ||
               pending_bytes_ + wanted <= options_.max_pending_bytes;
    };
    if (wait(lock, Seconds(options_.stall_patience_secs), is_interrupted, has_room) == Waited::kStalled)
        enter_trouble({0, "the disk does not answer", path_});
}

bool SinkCore::flush(const Interrupt& is_interrupted) {
    Lock lock(mutex_);
    const uint64_t target = given_events_;
    if (settled_events_ < target) {
        if (!is_running_ && !try_to_start_thread()) return false;
        const uint64_t attempt = attempts_;
        flush_target_ = target;
        is_retry_wanted_ = true;
        work_.notify_one();
        const auto is_done = [&] {
            return settled_events_ >= target || last_failed_attempt_ > attempt || is_abandoned_;
        };
        const Seconds patience = is_troubled_ ? kStalledFlushPatience : Seconds(options_.flush_patience_secs);
        if (wait(lock, patience, is_interrupted, is_done) == Waited::kStalled)
            enter_trouble({0, "the disk does not answer", path_});
    }
    return settled_events_ >= target && std::exchange(lost_before_flush_, lost_events_) == lost_events_;
}

SinkCore::Closing SinkCore::close(Seconds patience, const Interrupt& is_interrupted) {
    std::thread ended;
    bool is_good = false;
    {
        Lock lock(mutex_);
        if (!is_running_ && settled_events_ < given_events_) try_to_start_thread();
        if (is_running_) {
            const uint64_t request = ++close_requests_;
            is_retry_wanted_ = true;
            work_.notify_one();
            const Waited waited = wait(lock, patience, is_interrupted, [&] { return closes_done_ >= request; });
            if (waited == Waited::kStalled) return Closing::kHung;
            is_good = waited == Waited::kDone && is_last_close_good_;
        } else {
            is_good = settled_events_ == given_events_ && lost_events_ == lost_before_session_;
        }
        if (!is_running_) ended = std::move(thread_);
    }
    if (ended.joinable()) ended.join();
    return is_good ? Closing::kGood : Closing::kWithLoss;
}

void SinkCore::abandon() {
    const Lock lock(mutex_);
    if (is_abandoned_) return;
    if (thread_.joinable()) thread_.detach();
    is_abandoned_ = true;
    const uint64_t waiting = given_events_ - settled_events_;
    lost_events_ += waiting;
    std::string text = count_text(waiting, "event", "events");
    text.append(" could not be written, because the disk does not answer. File: ").append(path_);
    say("error", std::move(text));
    settled_.notify_all();
    work_.notify_one();
}

// -- telling

void SinkCore::enter_trouble(const Trouble& trouble) {
    problem_ = trouble.text;
    problem_.append(": ").append(trouble.path);
    if (is_troubled_) return;
    is_troubled_ = true;
    lost_before_trouble_ = lost_events_;
    // Trouble that comes and goes is said once a minute.
    is_trouble_told_ = trouble_told_at_ == Clock::time_point{} || Clock::now() - trouble_told_at_ >= kTellAgain;
    if (!is_trouble_told_) return;
    trouble_told_at_ = Clock::now();
    std::string text = "Cannot write events: ";
    text.append(trouble.text).append(". Training goes on and writing is tried again; ");
    text.append(size_text(pending_bytes_)).append(" wait in memory, where there is room for ");
    text.append(size_text(options_.max_pending_bytes)).append(". File: ").append(trouble.path);
    say("error", std::move(text));
}

void SinkCore::say(const char* level, std::string text) {
    if (notices_.size() < kMaxNotices) notices_.push_back({level, std::move(text)});
}

std::vector<SinkNotice> SinkCore::take_notices() {
    const Lock lock(mutex_);
    return std::exchange(notices_, {});
}

std::string SinkCore::path() {
    const Lock lock(mutex_);
    return path_;
}

bool SinkCore::is_open() {
    const Lock lock(mutex_);
    return is_running_ || settled_events_ < given_events_;
}

std::string SinkCore::problem() {
    const Lock lock(mutex_);
    return problem_;
}

size_t SinkCore::pending_bytes() {
    const Lock lock(mutex_);
    return pending_bytes_;
}

uint64_t SinkCore::lost_events() {
    const Lock lock(mutex_);
    return lost_events_;
}

int64_t SinkCore::last_step() {
    const Lock lock(mutex_);
    return last_step_;
}

}  // namespace sightline
