// Sinks on a disk that does as it is told, what is given to them, and what lies in their files then.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "encode.hpp"
#include "sightline/index.hpp"
#include "sightline/sink.hpp"
#include "temporary_directory.hpp"

namespace scripted_sink {

// A disk that does as it is told. By default it writes like the system.
class Disk {
public:
    // The next `count` calls fail; -1: all, until told otherwise.
    void fail(int code, int count = -1) {
        const std::lock_guard lock(mutex_);
        code_ = code;
        failures_left_ = count;
    }
    void work() { fail(0, 0); }
    // At most this many bytes a call.
    void be_short(size_t bytes) {
        const std::lock_guard lock(mutex_);
        max_bytes_ = bytes;
    }
    // Room for so many bytes; then "no space left", after a short write.
    void have_room(int64_t bytes) {
        const std::lock_guard lock(mutex_);
        room_ = bytes;
    }
    void hang() {
        const std::lock_guard lock(mutex_);
        is_hanging_ = true;
    }
    void let_go() {
        const std::lock_guard lock(mutex_);
        is_hanging_ = false;
        changed_.notify_all();
    }
    void wait_until_hanging() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return hanging_ > 0; });
    }
    void wait_until_written(uint64_t bytes) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return written_ >= bytes; });
    }
    void wait_for_calls(int more) {
        std::unique_lock lock(mutex_);
        const int wanted = calls_ + more;
        changed_.wait(lock, [&] { return calls_ >= wanted; });
    }
    int calls() {
        const std::lock_guard lock(mutex_);
        return calls_;
    }

    ssize_t write(int descriptor, const void* data, size_t size, off_t offset) {
        std::unique_lock lock(mutex_);
        ++calls_;
        ++hanging_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !is_hanging_; });
        --hanging_;
        changed_.notify_all();
        if (failures_left_ != 0) {
            if (failures_left_ > 0) --failures_left_;
            errno = code_;
            return -1;
        }
        size = std::min({size, max_bytes_, static_cast<size_t>(room_)});
        if (size == 0) {
            errno = ENOSPC;
            return -1;
        }
        const ssize_t done = ::pwrite(descriptor, data, size, offset);
        if (done > 0) written_ += static_cast<uint64_t>(done);
        if (done > 0) room_ -= done;
        return done;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int code_ = 0;
    int failures_left_ = 0;
    size_t max_bytes_ = SIZE_MAX;
    int64_t room_ = INT64_MAX;
    bool is_hanging_ = false;
    int hanging_ = 0;
    int calls_ = 0;
    uint64_t written_ = 0;
};

inline sightline::SinkOptions options_for(const TemporaryDirectory& d) {
    sightline::SinkOptions options;
    options.directory = d.path.string();
    options.hostname = "host";
    options.flush_secs = 1000;  // only when asked
    return options;
}

// A thread that was given up may use the disk after the test has ended.
inline sightline::SinkOptions options_for(const TemporaryDirectory& d, std::shared_ptr<Disk> disk) {
    sightline::SinkOptions options = options_for(d);
    options.write = [disk](int descriptor, const void* data, size_t size, off_t offset) {
        return disk->write(descriptor, data, size, offset);
    };
    return options;
}

// As a caller does: waits while the buffer is full.
inline void add(sightline::Sink& sink, std::string_view tag, float value, int64_t step, double wall_time = 1000) {
    const sightline::ScalarValue one{tag, value};
    while (sink.add_scalars(&one, 1, step, wall_time) == sightline::Added::kFull) sink.wait_for_room(64 + tag.size());
}

inline void add_steps(sightline::Sink& sink, int first, int last) {
    for (int i = first; i < last; ++i) add(sink, "loss", static_cast<float>(i), i, 1000 + i);
}

// One event; a step of zero is left out, as protobuf does.
inline std::string event(double wall_time, int64_t step, std::string_view rest) {
    return step == 0 ? encode::f64(1, wall_time) + std::string(rest) : encode::event(wall_time, step, rest);
}

inline std::string scalars(int first, int last) {
    std::string out;
    for (int i = first; i < last; ++i) {
        const std::string value = encode::bytes(1, "loss") + encode::f32(2, static_cast<float>(i));
        out += encode::record(event(1000 + i, i, encode::summary(value)));
    }
    return out;
}

inline std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
}

// What lies behind the first record.
inline std::string body(const std::string& path) {
    const std::string all = content(path);
    if (all.size() < 8) return "no header";
    uint64_t length;
    std::memcpy(&length, all.data(), 8);
    return all.substr(16 + length);
}

inline std::vector<std::string> files(const TemporaryDirectory& d) {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(d.path))
        if (sightline::is_event_file_name(entry.path().filename().string())) out.push_back(entry.path().string());
    std::sort(out.begin(), out.end());
    return out;
}

// Rows of all series, by our own reader; also says whether it found any damage.
struct Found {
    uint64_t rows = 0;
    uint64_t damage = 0;
    uint64_t torn_bytes = 0;
};
inline Found found_in(const TemporaryDirectory& d) {
    sightline::Index index(1);
    index.add_root({d.path.string(), "", {}, {}});
    index.scan();
    Found found;
    for (const auto& series : index.series(".")) found.rows += series.count;
    for (const auto& file : index.files("."))
        file->with_facts([&](const sightline::FileContent& c) {
            found.damage += c.facts.damage_count;
            found.torn_bytes += c.stat.size - c.state.offset;
        });
    return found;
}

inline std::string levels(sightline::Sink& sink) {
    std::string out;
    for (const sightline::SinkNotice& notice : sink.take_notices()) out.append(notice.level).append(" ");
    return out;
}

}  // namespace scripted_sink
