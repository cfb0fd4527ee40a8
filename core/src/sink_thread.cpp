// The thread's side of a sink: taking what waits, encoding, writing, and not giving up.
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "sink_core.hpp"

namespace sightline {
namespace {

using namespace std::chrono_literals;

// What is encoded and written at once when much is waiting.
constexpr size_t kMaxTakenBytes = 1 << 20;
// A buffer that a large item made larger than this is freed again.
constexpr size_t kMaxKeptBatchBytes = 4 << 20;

constexpr SinkCore::Clock::duration kFirstRetry = 100ms;
constexpr SinkCore::Clock::duration kLastRetry = 5s;

template <class T>
T load(const uint8_t* p) {
    T v;
    std::memcpy(&v, p, sizeof(T));
    return v;
}

}  // namespace

void SinkCore::run() {
#if defined(__linux__)
    pthread_setname_np(pthread_self(), "sightline-sink");
#endif
    Lock lock(mutex_);
    do {
        wait_for_work(lock);
        bool is_written = true;
        while (is_written && is_due()) is_written = drain_once(lock);
        if (!is_written) drop_queue();
        if (is_closing()) finish_closing(lock);
        // What came while the file was being closed goes into a new one.
    } while (!is_abandoned_ && (file_.is_open() || !queue_.is_empty() || is_closing()));
    is_running_ = false;
    settled_.notify_all();
}

bool SinkCore::is_due() const {
    if (queue_.is_empty()) return false;
    return is_closing() || is_abandoned_ || flush_target_ > settled_events_ || queue_.charged_bytes() >= batch_bytes_ ||
           Clock::now() >= oldest_ + write_interval_;
}

void SinkCore::wait_for_work(Lock& lock) {
    while (!is_closing() && !is_abandoned_ && !is_due()) {
        if (queue_.is_empty()) {
            is_idle_ = true;
            work_.wait(lock);
            is_idle_ = false;
            oldest_ = Clock::now();
        } else {
            is_waiting_ = true;
            work_.wait_until(lock, oldest_ + write_interval_);
            is_waiting_ = false;
        }
    }
}

// Takes the oldest part of the queue and sees it through. False: the sink closes, and it could not be written.
bool SinkCore::drain_once(Lock& lock) {
    ChunkList chunks = queue_.take(kMaxTakenBytes);
    if (queue_.is_empty()) oldest_ = Clock::now();  // else it stays as it is: what is left is older than now
    size_t charged = 0;
    uint64_t events = 0;
    for (const Chunk* chunk = chunks.head(); chunk != nullptr; chunk = chunk->next) {
        charged += chunk->charged_bytes;
        events += chunk->events;
    }
    lock.unlock();
    const uint64_t unencoded = encode(chunks);
    lock.lock();
    queue_.give_back(std::move(chunks));
    say_new_notices();
    lost_events_ += unencoded;
    // What waits now is the encoded form, which for an array is much smaller.
    pending_bytes_ = pending_bytes_ - charged + batch_.size();
    if (batch_.size() < charged) settled_.notify_all();

    const bool is_written = write_batch(lock);
    if (!is_written) {
        lock.unlock();
        const uint64_t kept = keep_whole_records();
        lock.lock();
        lost_events_ += events - unencoded - kept;
    }
    pending_bytes_ -= batch_.size();
    settled_events_ += events;
    if (batch_.capacity() > kMaxKeptBatchBytes) batch_.release();
    settled_.notify_all();
    return is_written;
}

// Fills the batch; returns how many events there was no memory for.
uint64_t SinkCore::encode(ChunkList& chunks) {
    uint64_t lost = 0;
    batch_.clear();
    batch_done_ = 0;
    for (Chunk* chunk = chunks.head(); chunk != nullptr; chunk = chunk->next) {
        for (size_t at = 0; at < chunk->used;) {
            const auto head = load<ItemHead>(chunk->data + at);
            const size_t before = batch_.size();
            try {
                encode_item(head, chunk->data + at + sizeof(head));
            } catch (const std::exception&) {
                batch_.cut(before);
                ++lost;
            }
            at += head.size_bytes;
        }
        empty_chunk(*chunk);
    }
    if (lost > 0) new_notices_.push_back({"error", "There is no memory left: events are dropped"});
    return lost;
}

void SinkCore::encode_item(const ItemHead& head, const uint8_t* body) {
    const size_t size = head.size_bytes - sizeof(ItemHead);
    switch (head.kind) {
        case ItemKind::kScalars: {
            values_.clear();
            for (const uint8_t* p = body; p < body + size; p += 8 + values_.back().tag.size())
                values_.push_back({{reinterpret_cast<const char*>(p + 8), load<uint32_t>(p + 4)}, load<float>(p)});
            append_scalars(batch_, head.wall_time, head.step, values_.data(), values_.size());
            break;
        }
        case ItemKind::kEvent:
            append_record(batch_, body, size);
            break;
        case ItemKind::kLargeEvent: {
            const auto* event = load<const LargeEvent*>(body);
            append_record(batch_, event->data.get(), event->size);
            break;
        }
        case ItemKind::kHistogram:
            encode_histogram(head, *load<const HistogramItem*>(body));
            break;
    }
}

void SinkCore::encode_histogram(const ItemHead& head, const HistogramItem& item) {
    const bool is_uniform = item.style == HistogramStyle::kUniform;
    const HistogramCounts counts = is_uniform ? count_uniform(item.dtype, item.data.get(), item.count, item.buckets)
                                              : count_geometric(item.dtype, item.data.get(), item.count);
    if (is_uniform)
        append_histogram_tensor(batch_, head.wall_time, head.step, item.tag, item.metadata, counts);
    else
        append_histogram(batch_, head.wall_time, head.step, item.tag, item.metadata, counts, item.max_bins);
    if (counts.nan_count + counts.inf_count > 0 && tags_told_.insert(item.tag).second) {
        std::string text = "The histogram \"";
        text.append(item.tag).append("\" leaves out ");
        text.append(std::to_string(counts.nan_count)).append(" NaN and ");
        text.append(std::to_string(counts.inf_count)).append(" infinite of ");
        text.append(count_text(item.count, "element", "elements"));
        text.append(" at step ").append(std::to_string(head.step)).append(" (said once per tag)");
        new_notices_.push_back({"warning", std::move(text)});
    }
}

// -- writing

// Tries until it works. False: the sink closes, and the last attempt failed.
bool SinkCore::write_batch(Lock& lock) {
    Clock::duration pause = kFirstRetry;
    for (;;) {
        const uint64_t attempt = ++attempts_;
        const bool is_last = is_closing();
        is_retry_wanted_ = false;
        is_writing_ = true;
        lock.unlock();
        const Trouble trouble = try_to_write();
        lock.lock();
        is_writing_ = false;
        say_new_notices();
        if (file_.is_open()) path_ = file_.path();
        if (!trouble) {
            leave_trouble();
            return true;
        }
        last_failed_attempt_ = attempt;
        enter_trouble(trouble);
        settled_.notify_all();
        if (is_last || is_abandoned_) return false;
        work_.wait_for(lock, pause, [&] { return is_retry_wanted_ || is_closing() || is_abandoned_; });
        pause = std::min(pause * 2, kLastRetry);
    }
}

Trouble SinkCore::try_to_write() {
    if (Trouble trouble = ensure_file()) return trouble;
    return file_.write(batch_.data(), batch_.size(), batch_done_, progress_);
}

// The file as it was, or a new one when it was taken away.
Trouble SinkCore::ensure_file() {
    if (file_.is_open()) {
        std::string before = file_.path();
        const SinkFile::Place place = file_.look();
        if (place == SinkFile::Place::kSame) return {};
        if (place == SinkFile::Place::kMoved) {
            std::string text = "The event file was moved; logging goes on in it: ";
            new_notices_.push_back({"info", text.append(file_.path())});
            return {};
        }
        file_.close();
        batch_done_ = 0;
        removed_path_ = std::move(before);
    }
    Trouble trouble = file_.create(may_make_directory_, is_first_file_);
    if (trouble) {
        if (!removed_path_.empty()) trouble.text.insert(0, "the event file was removed and no new one can be made: ");
        return trouble;
    }
    is_first_file_ = may_make_directory_ = false;
    if (!removed_path_.empty()) {
        std::string text = "The event file was removed, with all it held: ";
        text.append(removed_path_).append(". Logging goes on in a new one: ").append(file_.path());
        new_notices_.push_back({"warning", std::move(text)});
        removed_path_.clear();
    }
    return {};
}

// After the last attempt: the file ends behind a whole record. Returns how many of the batch are in it.
uint64_t SinkCore::keep_whole_records() {
    if (!file_.is_open()) return 0;
    const WholeRecords whole = whole_records(batch_.data(), batch_done_);
    file_.take_back(batch_done_ - whole.size_bytes);
    return whole.count;
}

void SinkCore::leave_trouble() {
    if (!is_troubled_) return;
    is_troubled_ = false;
    problem_.clear();
    const uint64_t lost = lost_events_ - lost_before_trouble_;
    if (!is_trouble_told_ && lost == 0) return;
    std::string text = "Events are written again; ";
    if (lost > 0)
        text.append(count_text(lost, "event", "events")).append(" found no room in memory meanwhile and are lost");
    else
        text.append("nothing that waited was lost");
    text.append(". File: ").append(path_);
    say(lost > 0 ? "warning" : "info", std::move(text));
}

// -- closing

// What waits cannot be written, and the sink closes.
void SinkCore::drop_queue() {
    ChunkList chunks = queue_.take(SIZE_MAX);
    for (const Chunk* chunk = chunks.head(); chunk != nullptr; chunk = chunk->next) {
        pending_bytes_ -= chunk->charged_bytes;
        lost_events_ += chunk->events;
        settled_events_ += chunk->events;
    }
}

void SinkCore::finish_closing(Lock& lock) {
    const uint64_t request = close_requests_;
    is_writing_ = true;
    lock.unlock();
    const int code = file_.close();
    lock.lock();
    is_writing_ = false;
    if (code != 0) {
        std::string text = "The last events may be missing, the system says on closing: ";
        text.append(trouble_from(code, path_).text).append(". File: ").append(path_);
        say("error", std::move(text));
    }
    const uint64_t lost = lost_events_ - lost_before_session_;
    if (lost > 0) {
        std::string text = count_text(lost, "event", "events");
        text.append(" could not be written and ").append(lost == 1 ? "is" : "are").append(" lost. File: ");
        say("error", text.append(path_));
    }
    is_last_close_good_ = lost == 0 && code == 0;
    lost_before_session_ = lost_before_flush_ = lost_events_;
    is_troubled_ = false;
    problem_.clear();
    trouble_told_at_ = {};
    may_make_directory_ = true;
    removed_path_.clear();
    closes_done_ = request;
    settled_.notify_all();
}

void SinkCore::say_new_notices() {
    for (SinkNotice& notice : new_notices_) say(notice.level, std::move(notice.text));
    new_notices_.clear();
}

}  // namespace sightline
