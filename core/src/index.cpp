#include "sightline/index.hpp"

#include <algorithm>
#include <functional>
#include <thread>
#include <unordered_set>
#include <utility>

#include "sightline/event.hpp"
#include "sightline/pack.hpp"
#include "sightline/pass.hpp"
#include "sightline/stream.hpp"

namespace sightline {

namespace {

bool is_below(const std::string& path, const std::string& directory) {
    return path.size() > directory.size() && path.compare(0, directory.size(), directory) == 0 &&
           (directory.back() == '/' || path[directory.size()] == '/');
}

std::string parent_of(const std::string& path) {
    const size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? "" : path.substr(0, std::max<size_t>(slash, 1));
}

bool comes_first(const std::shared_ptr<EventFile>& a, const std::shared_ptr<EventFile>& b) {
    return std::pair(a->name(), a->path) < std::pair(b->name(), b->path);
}

}  // namespace

struct Index::Stream {
    std::mutex mutex;  // for all below
    StreamSource source;
    Workspace workspace;
    bool is_announced = false;
    bool is_positioned = false;
    bool is_resuming = false;  // the next bytes must continue a chain of records that was read earlier
};

Index::Index(unsigned threads) : threads_(threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) {}

Index::~Index() = default;

size_t Index::add_root(Root root) {
    while (root.path.size() > 1 && root.path.back() == '/') root.path.pop_back();
    std::lock_guard pass_lock(pass_mutex_);
    roots_.push_back(std::move(root));
    return roots_.size() - 1;
}

std::string Index::run_name(const Root& root, const std::string& below) const {
    if (root.prefix.empty()) return below.empty() ? "." : printable_utf8(below);
    return below.empty() ? root.prefix : root.prefix + "/" + printable_utf8(below);
}

// ---------------------------------------------------------------- passes

void Index::scan() {
    std::lock_guard pass_lock(pass_mutex_);
    Pass pass(*this, is_stopped_);
    std::vector<std::string> errors;
    std::vector<Sighting> found;
    for (size_t i = 0; i < roots_.size(); ++i) {
        FileStat stat;
        std::string error;
        switch (stat_path(roots_[i].path, stat, &error)) {
            case PathKind::kDirectory:
                pass.add_directory(i, roots_[i].path, "");
                break;
            case PathKind::kFile:
                found.push_back({roots_[i].path, run_name(roots_[i], ""), stat, nullptr});
                break;
            default:
                errors.push_back("Cannot read the log directory (" + (error.empty() ? "nothing there" : error) +
                                 "); its runs are left out: " + printable_utf8(roots_[i].path));
        }
    }
    run_pass(pass, found);
    errors.insert(errors.end(), pass.errors().begin(), pass.errors().end());
    std::sort(errors.begin(), errors.end());

    std::lock_guard lock(mutex_);
    walk_errors_ = std::move(errors);
    if (is_stopped_) return;
    std::vector<std::shared_ptr<EventFile>> gone;
    for (const auto& [path, file] : by_path_) {
        if (file->is_stream || file->seen_in_scan == pass.number()) continue;
        // The walk did not come by: gone, unless the walk itself was prevented from seeing it.
        FileStat stat;
        std::string error;
        const PathKind kind = stat_path(path, stat, &error);
        if ((kind == PathKind::kNone && error.empty()) || walk_errors_.empty()) gone.push_back(file);
    }
    for (const auto& file : gone) remove_file(file);
}

void Index::refresh(const std::vector<std::string>& paths) {
    std::lock_guard pass_lock(pass_mutex_);
    refresh_locked(paths, is_stopped_);
}

void Index::refresh_locked(const std::vector<std::string>& paths, const std::atomic<bool>& stop) {
    Pass pass(*this, stop);
    std::vector<Sighting> found;
    std::unordered_set<std::string> taken;
    std::unordered_set<std::string> suspects;  // nothing there any more, or a directory that may have lost files
    for (std::string path : paths) {
        while (path.size() > 1 && path.back() == '/') path.pop_back();
        if (!taken.insert(path).second) continue;
        FileStat stat;
        std::string error;
        const PathKind kind = stat_path(path, stat, &error);
        if (kind != PathKind::kFile) suspects.insert(path);
        if (kind == PathKind::kNone || kind == PathKind::kOther) continue;
        for (size_t i = 0; i < roots_.size(); ++i) {
            const Root& root = roots_[i];
            const bool is_root = path == root.path;
            if (!is_root && !is_below(path, root.path)) continue;
            const std::string below = is_root ? "" : path.substr(root.path.size() + (root.path.back() == '/' ? 0 : 1));
            // Patterns are about runs, which are directories; file names do not count.
            const std::string run_path = is_root || kind == PathKind::kDirectory ? below : parent_of(below);
            if (pass.is_excluded_anywhere(root, run_path)) continue;  // a root inside this one may want it
            if (kind == PathKind::kDirectory) {
                pass.add_directory(i, path, below);
            } else if (is_event_file_name(path.substr(path.find_last_of('/') + 1))) {
                if (!pass.is_wanted(root, run_path)) continue;
                found.push_back({path, run_name(root, run_path), stat, nullptr});
            }
        }
    }
    remove_vanished(suspects);
    run_pass(pass, found);
}

void Index::run_pass(Pass& pass, std::vector<Sighting>& found) {
    notice(found, pass.number());
    for (Sighting& seen : found)
        if (seen.to_read != nullptr) pass.add_file(std::move(seen.to_read), seen.stat);
    pass.run();
}

void Index::remove_vanished(const std::unordered_set<std::string>& paths) {
    if (paths.empty()) return;
    const auto is_suspect = [&](std::string path) {
        for (; path.size() > 1; path = parent_of(path))
            if (paths.contains(path)) return true;
        return false;
    };
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<EventFile>> gone;
    for (const auto& [path, file] : by_path_) {
        if (file->is_stream || !is_suspect(path)) continue;
        FileStat stat;
        std::string error;
        if (stat_path(path, stat, &error) == PathKind::kNone && error.empty()) gone.push_back(file);
    }
    for (const auto& file : gone) remove_file(file);
}

void Index::notice(std::vector<Sighting>& sightings, uint64_t pass) {
    if (sightings.empty()) return;
    std::lock_guard lock(mutex_);
    for (Sighting& seen : sightings) seen.to_read = notice_one(seen, pass);
}

std::shared_ptr<EventFile> Index::notice_one(const Sighting& seen, uint64_t pass) {
    const auto known = by_path_.find(seen.path);
    const auto file = known != by_path_.end() ? known->second : add_file(seen.path, seen.run, false);
    if (known == by_path_.end()) restore(*file);
    if (std::exchange(file->seen_in_scan, pass) == pass) return nullptr;  // another root or path led here before
    const bool is_unchanged =
        file->with_facts([&](const FileContent& c) { return c.is_read_to_end && c.stat == seen.stat; });
    const bool is_certain = !std::exchange(file->is_doubtful, false);  // else the reader compares head and last record
    return is_unchanged && is_certain && file->error().empty() ? nullptr : file;
}

std::vector<Index::Listed> Index::list(const std::vector<std::string>& paths) {
    std::vector<Listed> out(paths.size());
    {
        std::lock_guard lock(mutex_);
        for (size_t i = 0; i < paths.size(); ++i) {
            const auto at = directories_.find(paths[i]);
            if (at != directories_.end()) out[i].listing = at->second;
        }
    }
    std::vector<size_t> fresh;
    for (size_t i = 0; i < paths.size(); ++i) {
        const auto& known = out[i].listing;
        FileStat stat;
        if (known != nullptr && known->is_complete && stat_path(paths[i], stat) == PathKind::kDirectory &&
            stat == known->stat && is_settled(stat, known->listed_ns))
            continue;
        auto listing = std::make_shared<DirectoryListing>();
        out[i].error = list_directory(paths[i], *listing);
        out[i].listing = std::move(listing);
        fresh.push_back(i);
    }
    if (fresh.empty()) return out;
    std::lock_guard lock(mutex_);
    for (const size_t i : fresh) {
        if (out[i].error.empty()) {
            directories_[paths[i]] = out[i].listing;
        } else {
            directories_.erase(paths[i]);
        }
    }
    return out;
}

void Index::note_commit(EventFile& file, const Committed& done, uint64_t bytes) {
    bytes_done_ += bytes;
    std::lock_guard lock(mutex_);
    touch(file.run, done.tags, is_new_to_run(file, done.new_series) ? News::kSeries : News::kRows);
    if (!done.new_series.empty()) --file.untold_commits;
}

void Index::note_end(EventFile& file, bool is_replaced) {
    if (!is_replaced && file.error().empty()) return;
    std::vector<uint32_t> tags;
    if (is_replaced)
        file.with_facts([&](const FileContent& c) {
            for (const FileSeries& s : c.series) tags.push_back(s.tag_id);
        });
    std::lock_guard lock(mutex_);
    touch(file.run, tags, is_replaced ? News::kReset : News::kRows);
}

// ---------------------------------------------------------------- registry (mutex_ held)

std::shared_ptr<EventFile> Index::add_file(const std::string& path, const std::string& run, bool is_stream) {
    auto file = std::make_shared<EventFile>(static_cast<uint32_t>(by_id_.size()), path, run, is_stream, tables_);
    by_id_.push_back(file);
    by_path_.emplace(path, file);
    auto& files = runs_[run].files;
    files.insert(std::upper_bound(files.begin(), files.end(), file, comes_first), file);
    return file;
}

bool Index::restore(EventFile& file) {
    PackSet::Found found;
    if (packs_ == nullptr || !packs_->find(file.path, found)) return false;
    file.is_doubtful = !found.is_settled;
    file.saved_offset = found.content.state.offset;
    file.restore(std::move(found.content), std::move(found.lazy));
    touch(file.run, {}, News::kSeries);  // which of them the run has already is not worth decoding them
    return true;
}

void Index::remove_file(const std::shared_ptr<EventFile>& file) {
    by_path_.erase(file->path);
    by_id_[file->id] = nullptr;
    streams_.erase(file->id);
    const auto run = runs_.find(file->run);
    if (run == runs_.end()) return;
    std::erase(run->second.files, file);
    touch(file->run, {}, News::kReset);
    if (!run->second.files.empty()) return;
    runs_.erase(run);
    if (has_watchers_) pending_[file->run].is_removed = true;
}

void Index::touch(const std::string& run, const std::vector<uint32_t>& tags, News news) {
    const auto at = runs_.find(run);
    const bool is_new_run = at != runs_.end() && std::exchange(at->second.revision, ++revision_) == 0;
    if (!has_watchers_) return;
    Pending& pending = pending_[run];
    pending.is_removed = false;
    pending.is_reset = pending.is_reset || news == News::kReset;
    pending.has_new_series = pending.has_new_series || is_new_run || news != News::kRows;
    pending.tags.insert(tags.begin(), tags.end());
}

// Looks into the other files of the run, and only when somebody will be told something else because of it: while a log
// is read for the first time, a run is new and there is nothing to find out.
bool Index::is_new_to_run(const EventFile& file, const std::vector<uint64_t>& series) {
    if (series.empty() || !has_watchers_) return false;
    const auto run = runs_.find(file.run);
    if (run == runs_.end() || run->second.revision == 0 || run->second.files.size() == 1) return true;
    const auto pending = pending_.find(file.run);
    if (pending != pending_.end() && pending->second.has_new_series) return true;
    const auto is_known = [&](uint64_t key) {
        return std::any_of(run->second.files.begin(), run->second.files.end(),
                           [&](const auto& other) { return other.get() != &file && other->has_told_series(key); });
    };
    return !std::all_of(series.begin(), series.end(), is_known);
}

// ---------------------------------------------------------------- questions

Progress Index::progress() const { return {files_total_, files_done_, bytes_total_, bytes_done_, is_walking_}; }

std::vector<RunChange> Index::take_changes() {
    std::map<std::string, Pending> pending;
    {
        std::lock_guard lock(mutex_);
        pending.swap(pending_);
    }
    std::vector<RunChange> changes;
    for (const auto& [run, p] : pending) {
        RunChange change{run, p.is_removed, p.is_reset, p.has_new_series, {}};
        for (const uint32_t tag : p.tags) change.tags.push_back(tables_.tags.at(tag));
        changes.push_back(std::move(change));
    }
    return changes;
}

std::vector<std::string> Index::run_names() {
    std::vector<std::pair<double, std::string>> ordered;
    {
        std::lock_guard lock(mutex_);
        for (const auto& [name, run] : runs_) {
            double first = std::numeric_limits<double>::infinity();
            for (const auto& file : run.files) {
                const double wall = file->with_facts([](const FileContent& c) { return c.facts.begin_wall_time(); });
                if (wall > 0) first = std::min(first, wall);
            }
            ordered.emplace_back(first, name);
        }
    }
    std::sort(ordered.begin(), ordered.end());
    std::vector<std::string> names;
    names.reserve(ordered.size());
    for (auto& [wall, name] : ordered) names.push_back(std::move(name));
    return names;
}

std::vector<std::string> Index::run_directories(const std::string& run) {
    std::vector<std::string> directories;
    for (const auto& file : files(run)) {
        if (file->is_stream) continue;
        std::string directory = parent_of(file->path);
        if (std::find(directories.begin(), directories.end(), directory) == directories.end())
            directories.push_back(std::move(directory));
    }
    return directories;
}

std::vector<std::shared_ptr<EventFile>> Index::files(const std::string& run) {
    std::lock_guard lock(mutex_);
    const auto at = runs_.find(run);
    return at == runs_.end() ? std::vector<std::shared_ptr<EventFile>>{} : at->second.files;
}

void Index::read_again_if_lost(const std::vector<std::shared_ptr<EventFile>>& run_files) {
    const auto is_lost = [](const std::shared_ptr<EventFile>& file) { return !file->is_stream && file->is_lost(); };
    if (std::none_of(run_files.begin(), run_files.end(), is_lost)) return;
    // Whoever comes second waits for the first. Closing the log does not stop this: it is a question that waits.
    std::lock_guard pass_lock(pass_mutex_);
    std::vector<std::string> lost;
    for (const auto& file : run_files)
        if (is_lost(file)) lost.push_back(file->path);
    const std::atomic<bool> never{false};
    if (!lost.empty()) refresh_locked(lost, never);
}

std::vector<SeriesSummary> Index::series(const std::string& run) {
    const auto run_files = files(run);
    read_again_if_lost(run_files);
    std::vector<SeriesSummary> out;
    std::vector<uint32_t> tag_ids;
    std::unordered_map<uint64_t, size_t> at;
    std::unordered_map<uint32_t, uint32_t> metadata;  // the first per tag in the run
    for (const auto& file : run_files) {
        file->with_content([&](const FileContent& content) {
            for (const auto& [tag_id, m] : content.metadata) metadata.try_emplace(tag_id, m.metadata_id);
            for (const FileSeries& s : content.series) {
                const auto [found, is_new] = at.try_emplace(series_key(s.tag_id, s.form), out.size());
                if (is_new) {
                    out.push_back({tables_.tags.at(s.tag_id), s.form, 0, {}, {}});
                    tag_ids.push_back(s.tag_id);
                }
                out[found->second].count += s.rows.size();
            }
        });
    }
    for (size_t i = 0; i < out.size(); ++i) {
        const auto found = metadata.find(tag_ids[i]);
        if (found == metadata.end()) continue;
        out[i].metadata = tables_.metadata.at(found->second);
        out[i].plugin = printable_utf8(plugin_name(out[i].metadata));
    }
    return out;
}

std::vector<SeriesPart> Index::parts(const std::string& run, const std::string& tag, Form form) {
    const auto tag_id = tables_.tags.find(tag);
    if (!tag_id) return {};
    const auto run_files = files(run);
    read_again_if_lost(run_files);
    std::vector<SeriesPart> out;
    for (const auto& file : run_files) {
        file->with_content([&](const FileContent& content) {
            if (const FileSeries* s = content.find(*tag_id, form))
                out.push_back({file->id, file->generation_locked(), form, s->rows.view(), s->breaks});
        });
    }
    return out;
}

uint64_t Index::revision(const std::string& run) {
    std::lock_guard lock(mutex_);
    const auto at = runs_.find(run);
    return at == runs_.end() ? 0 : at->second.revision;
}

std::vector<std::string> Index::walk_errors() {
    std::lock_guard lock(mutex_);
    return walk_errors_;
}

std::shared_ptr<EventFile> Index::file(uint32_t id) {
    std::lock_guard lock(mutex_);
    return id < by_id_.size() ? by_id_[id] : nullptr;
}

// ---------------------------------------------------------------- streams

uint32_t Index::add_stream(const std::string& run, const std::string& path) {
    std::lock_guard lock(mutex_);
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) return known->second->id;
    const auto file = add_file(path, run, true);
    streams_[file->id] = std::make_shared<Stream>();
    touch(run, {}, News::kRows);
    return file->id;
}

std::shared_ptr<Index::Stream> Index::stream_of(uint32_t id) {
    std::lock_guard lock(mutex_);
    const auto found = streams_.find(id);
    return found == streams_.end() ? nullptr : found->second;
}

uint64_t Index::set_stream_size(uint32_t id, uint64_t size_bytes, const std::string& identity) {
    const auto target = file(id);
    const auto stream = stream_of(id);
    if (target == nullptr || stream == nullptr) return 0;
    std::lock_guard stream_lock(stream->mutex);
    FileStat stat;
    stat.inode = std::hash<std::string>{}(identity);
    stat.size = size_bytes;

    bool is_known = std::exchange(stream->is_announced, true);
    if (!is_known) {
        std::lock_guard lock(mutex_);
        is_known = restore(*target);
    }
    if (target->is_lost()) target->drop_content();  // nobody but the caller can bring the bytes again
    if (!stream->is_positioned)
        stream->source.restart(target->with_facts([](const FileContent& c) { return c.state.needed_from(); }));
    stream->is_positioned = true;
    const bool is_replaced = is_known && target->with_facts([&](const FileContent& c) {
        return size_bytes < stream->source.next_offset() ||
               (c.stat.size != 0 && size_bytes == c.stat.size && stat.inode != c.stat.inode);
    });
    if (is_replaced) {
        target->drop_content();
        stream->source.restart(0);
        std::lock_guard lock(mutex_);
        touch(target->run, {}, News::kReset);
    }
    stream->is_resuming = stream->source.next_offset() > 0;
    stream->source.announce(size_bytes);
    target->set_stat(stat);
    return stream->source.next_offset();
}

uint64_t Index::feed(uint32_t id, std::string_view data) {
    const auto target = file(id);
    const auto stream = stream_of(id);
    if (target == nullptr || stream == nullptr) return 0;
    std::lock_guard stream_lock(stream->mutex);
    stream->source.append(data);
    ReadState state = target->with_content([](const FileContent& c) { return c.state; });
    if (stream->is_resuming && state.open_damage == DamageReason::kNone && !stream->source.is_chain_at(state.offset)) {
        // What follows is not what was read so far: another object has taken the place of the old one.
        const FileStat stat = target->with_facts([](const FileContent& c) { return c.stat; });
        target->drop_content();
        target->set_stat(stat);
        stream->source.restart(0);
        stream->is_resuming = false;
        std::lock_guard lock(mutex_);
        touch(target->run, {}, News::kReset);
        return 0;
    }
    stream->is_resuming = false;
    // Whoever brings the bytes keeps count of them.
    const CommitHook hook = [&](const Committed& done, uint64_t) { note_commit(*target, done, 0); };
    read_in_order(*target, stream->source, state, stream->workspace, hook, is_stopped_);
    state = target->with_content([](const FileContent& c) { return c.state; });
    stream->source.forget_before(state.needed_from());
    return stream->source.next_offset();
}

void Index::remove_stream(uint32_t id) {
    std::lock_guard lock(mutex_);
    if (id < by_id_.size() && by_id_[id] != nullptr && by_id_[id]->is_stream) remove_file(std::shared_ptr(by_id_[id]));
}

// ---------------------------------------------------------------- cache

uint64_t Index::load_cache(const std::string& directory) {
    auto packs = std::make_unique<PackSet>(tables_);
    KnownDirectories directories;
    const uint64_t count = packs->load(directory, directories);
    std::lock_guard pass_lock(pass_mutex_);
    std::lock_guard lock(mutex_);
    packs_ = std::move(packs);
    if (directories_.empty()) directories_.swap(directories);
    directories_.merge(directories);
    by_path_.reserve(by_path_.size() + count);
    by_id_.reserve(by_id_.size() + count);
    // Everything the cache knows can be looked at from now on; the next scan finds out what is still true.
    packs_->for_each_local([&](const std::string& path, std::string_view run) {
        const auto holds = [&](const Root& root) { return path == root.path || is_below(path, root.path); };
        if (by_path_.contains(path) || std::none_of(roots_.begin(), roots_.end(), holds)) return;
        restore(*add_file(path, std::string(run), false));
    });
    return count;
}

uint64_t Index::save_cache(const std::string& directory) {
    // A file is saved again when an eighth of it is new: what is not saved is merely read again, and rewriting a large
    // file's columns for every few points would cost more than it saves.
    constexpr uint64_t kWorthSaving = 64 << 10;
    std::lock_guard save_lock(save_mutex_);
    std::vector<std::shared_ptr<EventFile>> all;
    std::vector<std::shared_ptr<EventFile>> changed;
    KnownDirectories directories;
    bool is_merge;
    {
        std::lock_guard lock(mutex_);
        directories = directories_;
        if (packs_ == nullptr) packs_ = std::make_unique<PackSet>(tables_);
        is_merge = packs_->is_worth_merging();
        for (const auto& [path, file] : by_path_) {
            const uint64_t offset = file->with_facts([](const FileContent& c) { return c.state.offset; });
            if (offset == 0) continue;
            all.push_back(file);
            const bool is_rewound = offset < file->saved_offset;
            const bool is_new = file->saved_offset == 0;
            if (is_new || is_rewound || offset - file->saved_offset > std::max(kWorthSaving, file->saved_offset / 8))
                changed.push_back(file);
        }
    }
    if (changed.empty() && !is_merge) return 0;
    // Writing takes a while and needs none of our locks: rows are written from views.
    const WrittenPack written = write_pack(directory, tables_, is_merge ? all : changed, directories);
    std::lock_guard lock(mutex_);
    for (const auto& [file, offset] : written.saved) file->saved_offset = offset;
    return packs_->add(written.path, is_merge);
}

}  // namespace sightline
