#include "sightline/segmented_read.hpp"

#include <algorithm>

namespace sightline {

namespace {

constexpr uint64_t kWholeFile = ~uint64_t{0};

void note_head(EventFile& file, Window& window) {
    const auto size = static_cast<size_t>(std::min<uint64_t>(window.file_size(), sizeof(Head::bytes)));
    if (size > 0 && window.load(0, size)) file.set_head(window.at(0), size);
}

}  // namespace

bool read_in_order(EventFile& file, Source& source, ReadState state, Workspace& workspace, const CommitHook& hook,
                   const std::atomic<bool>& stop) {
    workspace.window.reset(source);
    workspace.batch.clear(true);
    if (state.offset == 0) note_head(file, workspace.window);
    bool has_more = true;
    while (has_more && !stop) {
        const uint64_t before = state.offset;
        file.share_knowledge(workspace.batch);
        workspace.batch.is_from_beginning = before == 0;
        has_more = read_records(workspace.window, state, state.offset + SegmentedRead::kSegmentBytes, workspace.batch);
        hook(file.commit(workspace.batch, state), state.offset - before);
        workspace.batch.clear(false);
    }
    return !has_more && !workspace.window.has_failed();
}

SegmentedRead::SegmentedRead(EventFile& file, Source& source, const ReadState& state, CommitHook hook,
                             const std::atomic<bool>& stop, uint64_t segment_bytes)
    : file_(file),
      source_(source),
      begin_(state.offset),
      segment_bytes_(segment_bytes),
      count_((source.size() - state.offset + segment_bytes - 1) / segment_bytes),
      hook_(std::move(hook)),
      stop_(stop),
      state_(state) {}

bool SegmentedRead::has_work() const { return !is_ended_ && next_ < count_; }

void SegmentedRead::help(Workspace& workspace) {
    workspace.window.reset(source_);
    workspace.batch.clear(true);
    while (!is_ended_) {
        const uint64_t k = next_.fetch_add(1);
        if (k >= count_) break;
        try {
            read_segment(k, workspace);
        } catch (const std::exception& e) {
            std::lock_guard lock(mutex_);
            error_ = e.what();
            is_ended_ = true;  // others must not wait for a turn that never comes
            turn_.notify_all();
        }
        workspace.batch.clear(false);
    }
}

std::string SegmentedRead::error() {
    std::lock_guard lock(mutex_);
    return error_;
}

void SegmentedRead::read_segment(uint64_t k, Workspace& workspace) {
    Window& window = workspace.window;
    Batch& batch = workspace.batch;
    const uint64_t first = begin_ + k * segment_bytes_;
    const uint64_t stop = k + 1 == count_ ? kWholeFile : first + segment_bytes_;

    file_.share_knowledge(batch);
    ReadState reached;
    if (k == 0) {
        reached = state_;  // not a guess; and nobody changes state_ before this segment is committed
        batch.is_from_beginning = reached.offset == 0;
        if (reached.offset == 0) note_head(file_, window);
    } else {
        reached.offset = find_record(window, first, std::min(stop, source_.size()));
    }
    const uint64_t guess = reached.offset;
    bool has_more = reached.offset >= stop || read_records(window, reached, stop, batch);

    {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [&] { return committed_ == k || is_ended_; });
        if (is_ended_) return;
    }
    // It is our turn: until committed_ moves on, state_ is ours alone.
    const bool is_right = k == 0 || (guess == state_.offset && state_.open_damage == DamageReason::kNone);
    if (!is_right) {
        batch.clear(false);
        reached = state_;
        has_more = reached.offset >= stop || read_records(window, reached, stop, batch);
    } else if (k > 0) {
        reached.wasted_bytes += state_.wasted_bytes;
        if (reached.last_record == ReadState::kNoRecord) {
            reached.last_record = state_.last_record;
            reached.last_header = state_.last_header;
            reached.last_checksum = state_.last_checksum;
        }
    }
    const uint64_t passed = reached.offset - state_.offset;
    hook_(file_.commit(batch, reached), passed);

    std::lock_guard lock(mutex_);
    state_ = reached;
    committed_ = k + 1;
    if (!has_more && !window.has_failed()) is_complete_ = true;
    if (!has_more || stop_) is_ended_ = true;
    turn_.notify_all();
}

}  // namespace sightline
