#include "sightline/pass.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <thread>

namespace sightline {

namespace {
// How long all threads walk before some begin to read. Half a second: longer than a tree of 10,000 runs takes on a
// local disk, short enough that nobody looks at an empty page.
constexpr auto kWalkTogether = std::chrono::milliseconds(500);
constexpr size_t kWalkBatch = 32;

std::string join(const std::string& directory, const std::string& name) {
    return directory.empty() ? name : directory.back() == '/' ? directory + name : directory + "/" + name;
}

bool matches_any(const std::vector<std::string>& patterns, const std::string& text) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return fnmatch(pattern.c_str(), text.c_str(), 0) == 0; });
}
}  // namespace

Pass::Pass(Index& index, const std::atomic<bool>& stop)
    : index_(index), stop_(stop), started_(std::chrono::steady_clock::now()) {
    std::lock_guard lock(index_.mutex_);
    number_ = ++index_.pass_count_;
}

void Pass::add_directory(size_t root, std::string path, std::string below) {
    directories_.push_back({root, std::move(path), std::move(below)});
}

void Pass::add_file(std::shared_ptr<EventFile> file, const FileStat& stat) {
    const uint64_t known = file->with_facts([](const FileContent& c) { return c.state.offset; });
    const uint64_t new_bytes = stat.size > known ? stat.size - known : stat.size;
    index_.files_total_ += 1;
    index_.bytes_total_ += new_bytes;
    files_.push({stat.mtime_ns, file_order_++, std::move(file), new_bytes});
}

void Pass::run() {
    index_.is_walking_ = !directories_.empty();
    const size_t tasks = directories_.size() + files_.size();
    const bool is_small =
        directories_.empty() && files_.size() == 1 && files_.top().new_bytes < SegmentedRead::kMinBytes;
    if (tasks == 0) return;
    {
        std::vector<std::jthread> team;  // joined at the end of this block, whatever happens
        try {
            for (unsigned i = 1; i < index_.threads_ && !is_small; ++i) team.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            // The system gives us no more threads: those that there are do the work.
        }
        work();
    }
    index_.is_walking_ = false;
    if (failure_ != nullptr) std::rethrow_exception(failure_);
}

bool Pass::is_excluded(const Root& root, const std::string& below) const {
    return !below.empty() && matches_any(root.exclude, below);
}

bool Pass::is_excluded_anywhere(const Root& root, const std::string& below) const {
    for (size_t slash = below.find('/'); slash != std::string::npos; slash = below.find('/', slash + 1))
        if (is_excluded(root, below.substr(0, slash))) return true;
    return is_excluded(root, below);
}

bool Pass::is_wanted(const Root& root, const std::string& below) const {
    return root.include.empty() || matches_any(root.include, below.empty() ? "." : below);
}

bool Pass::may_walk() const {
    const bool all_walk = std::chrono::steady_clock::now() - started_ < kWalkTogether;
    return all_walk || files_.empty() || walking_ < std::max(1U, index_.threads_ / 2);
}

void Pass::work() noexcept {
    try {
        work_until_done();
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (failure_ == nullptr) failure_ = std::current_exception();
        changed_.notify_all();
    }
}

void Pass::work_until_done() {
    Workspace workspace;
    Lock lock(mutex_);
    while (!stop_ && failure_ == nullptr) {
        ++busy_;
        const bool did_something = take_task(lock, workspace);
        --busy_;
        if (did_something) continue;
        if (busy_ == 0) break;  // nobody works, nothing is left: done
        changed_.wait(lock);
    }
    changed_.notify_all();
}

// Does one task, if there is one for this thread. The lock is held on return.
bool Pass::take_task(Lock& lock, Workspace& workspace) {
    if (directories_.empty() && walking_ == 0 && !links_.empty()) take_next_link();
    if (!directories_.empty() && may_walk()) {
        const size_t count = std::clamp<size_t>(directories_.size() / index_.threads_, 1, kWalkBatch);
        std::vector<Directory> batch(std::make_move_iterator(directories_.end() - static_cast<ptrdiff_t>(count)),
                                     std::make_move_iterator(directories_.end()));
        directories_.resize(directories_.size() - count);
        walk(lock, std::move(batch));
        return true;
    }
    if (!files_.empty()) {
        FileTask task = files_.top();
        files_.pop();
        read(lock, std::move(task), workspace);
        return true;
    }
    for (Shared& shared : shared_) {
        if (!shared.read->has_work()) continue;
        help(lock, shared, workspace);
        return true;
    }
    return false;
}

void Pass::take_next_link() {
    auto first = links_.begin();
    directories_.push_back(std::move(first->second));
    links_.erase(first);
}

// Takes a handful of directories at a time: with ten thousand of them, taking turns would cost more than the work.
void Pass::walk(Lock& lock, std::vector<Directory> batch) {
    ++walking_;
    lock.unlock();
    std::vector<std::string> paths;
    for (const Directory& directory : batch) paths.push_back(directory.path);
    std::vector<Index::Listed> listed = index_.list(paths);

    lock.lock();
    for (size_t i = 0; i < batch.size(); ++i) {
        if (!listed[i].error.empty()) {
            errors_.push_back("Cannot list a directory (" + listed[i].error +
                              "); runs below it are left out: " + printable_utf8(paths[i]));
            listed[i].listing = nullptr;
        } else if (!visited_.emplace(listed[i].listing->stat.device, listed[i].listing->stat.inode).second) {
            listed[i].listing = nullptr;
        }
    }
    lock.unlock();

    std::vector<Index::Sighting> sightings;
    for (size_t i = 0; i < batch.size(); ++i) {
        const Root& root = index_.roots_[batch[i].root];
        if (listed[i].listing == nullptr || listed[i].listing->events.empty() || !is_wanted(root, batch[i].below))
            continue;
        for (const std::string& name : listed[i].listing->events) {
            Index::Sighting seen{join(batch[i].path, name), index_.run_name(root, batch[i].below), {}, nullptr};
            if (stat_path(seen.path, seen.stat) == PathKind::kFile) sightings.push_back(std::move(seen));
        }
    }
    index_.notice(sightings, number_);

    lock.lock();
    for (size_t i = 0; i < batch.size(); ++i)
        if (listed[i].listing != nullptr) add_below(batch[i], *listed[i].listing);
    for (Index::Sighting& seen : sightings)
        if (seen.to_read != nullptr) add_file(std::move(seen.to_read), seen.stat);
    --walking_;
    if (directories_.empty() && links_.empty() && walking_ == 0) index_.is_walking_ = false;
    changed_.notify_all();
}

void Pass::add_below(const Directory& directory, const DirectoryListing& listing) {
    const Root& root = index_.roots_[directory.root];
    const auto child = [&](const std::string& name) {
        return Directory{directory.root, join(directory.path, name), join(directory.below, name)};
    };
    for (const std::string& name : listing.directories) {
        Directory next = child(name);
        if (!is_excluded(root, next.below)) directories_.push_back(std::move(next));
    }
    for (const std::string& name : listing.links) {
        Directory next = child(name);
        if (!is_excluded(root, next.below)) links_.emplace(std::pair(next.root, next.below), std::move(next));
    }
}

void Pass::read(Lock& lock, FileTask task, Workspace& workspace) {
    EventFile& file = *task.file;
    lock.unlock();
    const uint64_t generation = file.generation();
    File source;
    std::string error = source.open(file.path);
    std::atomic<uint64_t> passed = 0;
    const CommitHook hook = [&](const Committed& done, uint64_t bytes) {
        passed += bytes;
        index_.note_commit(file, done, bytes);
    };
    bool is_read_to_end = false;
    if (error.empty()) {
        try {
            is_read_to_end = read_from(source, file, workspace, hook, error);
        } catch (const std::exception& e) {
            error = e.what();
        }
    }
    file.end(is_read_to_end, error);
    index_.note_end(file, file.generation() != generation);
    // A torn tail or a file that shrank: count what was announced, so that progress reaches its end.
    if (task.new_bytes > passed) index_.bytes_done_ += task.new_bytes - passed;
    index_.files_done_ += 1;
    lock.lock();
}

bool Pass::read_from(File& source, EventFile& file, Workspace& workspace, const CommitHook& hook, std::string& error) {
    const ReadState state = file.begin(source, source.stat());
    const uint64_t rest = source.size() - std::min(source.size(), state.offset);
    bool is_read_to_end;
    if (rest < SegmentedRead::kMinBytes || index_.threads_ == 1) {
        is_read_to_end = read_in_order(file, source, state, workspace, hook, stop_);
    } else {
        SegmentedRead shared(file, source, state, hook, stop_);
        Lock lock(mutex_);
        const auto at = shared_.insert(shared_.end(), {&shared, 0});
        changed_.notify_all();
        lock.unlock();
        shared.help(workspace);
        lock.lock();
        changed_.wait(lock, [&] { return at->helpers == 0; });
        shared_.erase(at);
        is_read_to_end = shared.is_read_to_end();
        error = shared.error();
    }
    if (error.empty() && !source.read_error().empty()) error = "reading failed: " + source.read_error();
    return is_read_to_end && error.empty();
}

void Pass::help(Lock& lock, Shared& shared, Workspace& workspace) {
    ++shared.helpers;
    lock.unlock();
    shared.read->help(workspace);
    lock.lock();
    --shared.helpers;
    changed_.notify_all();
}

}  // namespace sightline
