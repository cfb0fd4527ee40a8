#include "sink_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "sightline/event_encode.hpp"

namespace sightline {
namespace {

constexpr const char* kSourceWriter = "sightline.writer";
constexpr const char* kSourceWriterOfChild = "sightline.writer.child";

// So that progress is seen on a slow disk, and a signal to stop is not missed for long.
constexpr size_t kMaxWriteBytes = 1 << 20;

// Files of one process in one second differ by this.
std::atomic<uint64_t> file_counter{0};

std::string error_text(int code) {
    char buffer[256] = "";
#if defined(__GLIBC__)
    return strerror_r(code, buffer, sizeof(buffer));
#else
    return strerror_r(code, buffer, sizeof(buffer)) == 0 ? buffer : "unknown error";
#endif
}

// Makes the directory and those above it. 0, or an errno.
int make_directories(const std::string& path) {
    struct stat s;
    if (::stat(path.c_str(), &s) == 0) return S_ISDIR(s.st_mode) ? 0 : ENOTDIR;
    if (::mkdir(path.c_str(), 0777) == 0 || errno == EEXIST) return 0;
    if (errno != ENOENT) return errno;
    const size_t last = path.find_last_not_of('/');
    const size_t slash = last == std::string::npos ? last : path.rfind('/', last);
    if (slash == std::string::npos || slash == 0) return ENOENT;
    const int code = make_directories(path.substr(0, slash));
    if (code != 0) return code;
    return ::mkdir(path.c_str(), 0777) == 0 || errno == EEXIST ? 0 : errno;
}

std::string file_name(const SinkOptions& options) {
    char time_text[24];
    std::snprintf(time_text, sizeof(time_text), "%010lld", static_cast<long long>(std::time(nullptr)));
    std::string host = options.hostname;
    for (char& c : host)
        if (c == '/' || c == '\0') c = '_';
    std::string name = "events.out.tfevents.";
    name.append(time_text).append(".").append(host).append(".");
    name.append(std::to_string(::getpid())).append(".");
    name.append(std::to_string(file_counter.fetch_add(1)));
    return name.append(options.suffix);
}

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// Where an open file lies now, as the system says. Empty when it does not say.
std::string path_of(int descriptor) {
    char buffer[PATH_MAX + 1] = "";
#if defined(__linux__)
    std::string link = "/proc/self/fd/";
    link.append(std::to_string(descriptor));
    const ssize_t size = ::readlink(link.c_str(), buffer, PATH_MAX);
    return {buffer, static_cast<size_t>(std::max<ssize_t>(size, 0))};
#elif defined(__APPLE__)
    return ::fcntl(descriptor, F_GETPATH, buffer) == 0 ? buffer : "";
#else
    (void)descriptor;
    return buffer;
#endif
}

}  // namespace

Trouble trouble_from(int code, const std::string& path) { return {code, error_text(code), path}; }

double wall_time_now() {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Trouble SinkFile::create(bool may_make_directory, bool is_purging) {
    close();
    if (may_make_directory) {
        const int code = make_directories(options_.directory);
        if (code != 0) return trouble_from(code, options_.directory);
    }
    int descriptor;
    std::string path;
    do {
        path = options_.directory;
        if (!path.empty() && path.back() != '/') path.push_back('/');
        path.append(file_name(options_));
        descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && (errno == EEXIST || errno == EINTR));
    if (descriptor < 0) return trouble_from(errno, path);

    RecordBuffer records;
    const double now = wall_time_now();
    append_file_version(records, now, options_.is_forked_child ? kSourceWriterOfChild : kSourceWriter);
    if (is_purging && options_.purge_step) {
        // TensorBoard takes the first START of a run for its beginning and only later ones for a restart. Whether an
        // earlier file has one is not ours to know: two are right in both cases.
        append_session_start(records, now, *options_.purge_step);
        append_session_start(records, now, *options_.purge_step);
    }
    offset_ = 0;
    descriptor_.store(descriptor, std::memory_order_relaxed);
    path_ = path;
    size_t done = 0;
    std::atomic<uint64_t> progress{0};
    const Trouble trouble = write(records.data(), records.size(), done, progress);
    if (trouble) {
        ::unlink(path.c_str());
        close();
        return trouble;
    }
    struct stat file;
    struct stat there;
    const bool is_seen = ::fstat(descriptor, &file) == 0 && ::stat(path.c_str(), &there) == 0;
    has_link_count_ = is_seen && file.st_nlink > 0;
    has_stable_inode_ = is_seen && is_same_file(file, there);
    return {};
}

SinkFile::Place SinkFile::look() {
    struct stat file;
    struct stat there;
    const int descriptor = descriptor_.load(std::memory_order_relaxed);
    if (::fstat(descriptor, &file) != 0) return errno == ESTALE ? Place::kGone : Place::kSame;
    if (file.st_nlink == 0 && has_link_count_) return Place::kGone;
    if (::stat(path_.c_str(), &there) == 0) {
        if (is_same_file(file, there) || !has_stable_inode_) return Place::kSame;
    } else if (errno != ENOENT && errno != ENOTDIR) {
        return Place::kSame;  // we may not look there, but what is open can be written
    }
    std::string path = path_of(descriptor);
    // NFS keeps a removed file that is open under such a name.
    if (path.empty() || path.find("/.nfs") != std::string::npos) return Place::kGone;
    if (::stat(path.c_str(), &there) != 0 || !is_same_file(file, there)) return Place::kGone;
    path_ = std::move(path);
    return Place::kMoved;
}

Trouble SinkFile::write(const uint8_t* data, size_t size, size_t& done, std::atomic<uint64_t>& progress) {
    const int descriptor = descriptor_.load(std::memory_order_relaxed);
    while (done < size) {
        const size_t count = std::min(size - done, kMaxWriteBytes);
        const auto place = static_cast<off_t>(offset_);
        const ssize_t written = options_.write ? options_.write(descriptor, data + done, count, place)
                                               : ::pwrite(descriptor, data + done, count, place);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return trouble_from(written < 0 ? errno : EIO, path_);
        done += static_cast<size_t>(written);
        offset_ += static_cast<uint64_t>(written);
        progress.fetch_add(static_cast<uint64_t>(written), std::memory_order_relaxed);
    }
    return {};
}

void SinkFile::take_back(size_t bytes) {
    offset_ -= bytes;
    const int descriptor = descriptor_.load(std::memory_order_relaxed);
    if (bytes > 0 && ::ftruncate(descriptor, static_cast<off_t>(offset_)) != 0) return;
}

int SinkFile::close() {
    // The number is given up before the descriptor: a child that is forked in between must not close a stranger's.
    const int descriptor = descriptor_.exchange(-1);
    if (descriptor < 0) return 0;
    return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

void SinkFile::close_inherited() {
    const int descriptor = descriptor_.exchange(-1);
    if (descriptor >= 0) ::close(descriptor);
}

}  // namespace sightline
