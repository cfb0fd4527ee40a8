// What a sink writes, into which files, and from which threads and processes. What a bad disk does to it is in
// test_sink_trouble.cpp.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <thread>

#include "check.hpp"
#include "encode.hpp"
#include "scripted_sink.hpp"
#include "sightline/sink.hpp"
#include "temporary_directory.hpp"

using namespace sightline;
using namespace scripted_sink;
namespace fs = std::filesystem;

// -- what is in the file

TEST("sink: a file begins with its version and the name of the writer") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    const std::string all = content(sink.path());
    double wall_time;
    std::memcpy(&wall_time, all.data() + 13, 8);
    CHECK_EQUAL(all, encode::record(encode::f64(1, wall_time) + encode::bytes(3, "brain.Event:2") +
                                    encode::bytes(10, encode::bytes(1, "sightline.writer"))));
    const std::string name = fs::path(sink.path()).filename().string();
    const std::string pattern = ".host." + std::to_string(getpid()) + ".";
    CHECK_EQUAL(name.substr(0, 20), "events.out.tfevents.");
    CHECK_EQUAL(name.substr(30, pattern.size()), pattern);
}

TEST("sink: scalars are written byte for byte as protobuf would, in the order given") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    add(sink, "loss", 1.5F, 7, 2000.5);
    add(sink, "loss", 0.0F, -1, 2000.5);
    add(sink, "", 2.0F, 1LL << 40, 2000.5);
    add(sink, std::string(300, 'x'), 2.0F, 0, 2000.5);
    CHECK(sink.flush());
    const std::string value = encode::bytes(1, "loss") + encode::f32(2, 1.5F);
    CHECK_EQUAL(
        body(sink.path()),
        encode::record(encode::event(2000.5, 7, encode::summary(value))) +
            encode::record(encode::event(2000.5, -1, encode::summary(encode::bytes(1, "loss") + encode::f32(2, 0)))) +
            encode::record(encode::event(2000.5, 1LL << 40, encode::summary(encode::f32(2, 2)))) +
            encode::record(
                event(2000.5, 0, encode::summary(encode::bytes(1, std::string(300, 'x')) + encode::f32(2, 2)))));
    CHECK_EQUAL(sink.last_step(), 1LL << 40);
}

TEST("sink: several values are one event, however many they are") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    for (const size_t count : {2, 1000}) {
        std::vector<std::string> tags;
        std::vector<ScalarValue> values;
        std::string wanted;
        for (size_t i = 0; i < count; ++i) tags.push_back("tag" + std::to_string(i));
        for (size_t i = 0; i < count; ++i) {
            values.push_back({tags[i], static_cast<float>(i)});
            wanted += encode::bytes(1, encode::bytes(1, tags[i]) + encode::f32(2, static_cast<float>(i)));
        }
        const size_t before = body(sink.path()).size();
        CHECK(sink.add_scalars(values.data(), values.size(), 3, 5) == Added::kQuietly);
        CHECK(sink.flush());
        CHECK_EQUAL(body(sink.path()).substr(before), encode::record(encode::event(5, 3, encode::bytes(5, wanted))));
    }
    CHECK_EQUAL(sink.last_step(), 3);
}

TEST("sink: events of any size are written as they are") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    std::string wanted;
    for (const size_t size : {0UL, 1UL, 8000UL, 8192UL, 9000UL, 70000UL, 3000000UL, 5UL}) {
        const std::string event(size, static_cast<char>(size));
        CHECK(sink.add_event(event.data(), event.size()) == Added::kQuietly);
        wanted += encode::record(event);
    }
    CHECK(sink.flush());
    CHECK(body(sink.path()) == wanted);
    CHECK_EQUAL(sink.pending_bytes(), 0U);
}

TEST("sink: a purge step is two starts, so that TensorBoard takes the second for a restart") {
    TemporaryDirectory d;
    SinkOptions options = options_for(d);
    options.purge_step = 12;
    Sink sink(options);
    add_steps(sink, 12, 13);
    CHECK(sink.close());
    const std::string all = body(sink.path());
    double wall_time;
    std::memcpy(&wall_time, all.data() + 13, 8);
    const std::string start = encode::session_start(12, wall_time);
    CHECK_EQUAL(all, start + start + scalars(12, 13));
    add_steps(sink, 13, 14);  // a second file has nothing to purge
    CHECK(sink.close());
    CHECK_EQUAL(body(sink.path()), scalars(13, 14));
}

TEST("sink: histograms are counted by the thread") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    const std::vector<double> numbers{1, 2, 3, NAN, 4};
    for (const HistogramStyle style :
         {HistogramStyle::kGeometric, HistogramStyle::kUniform, HistogramStyle::kUniform}) {
        HistogramItem item;
        item.tag = style == HistogramStyle::kUniform ? "uniform" : "geometric";
        item.style = style;
        item.count = numbers.size();
        item.data.reset(new uint8_t[item.size_bytes()]);
        std::memcpy(item.data.get(), numbers.data(), item.size_bytes());
        CHECK(sink.add_histogram(item, 3, 5) != Added::kFull);
        CHECK(item.data == nullptr);
    }
    CHECK(sink.flush());
    CHECK_EQUAL(levels(sink), "warning warning ");  // once per tag
    const Found found = found_in(d);
    CHECK_EQUAL(found.rows, 3U);
    CHECK_EQUAL(found.damage, 0U);
}

TEST("sink: what is given is written without being asked") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    SinkOptions options = options_for(d, disk);
    options.flush_secs = 0.01;
    Sink sink(options);
    const auto header = content(sink.path()).size();
    for (int i = 0; i < 3; ++i) {
        add_steps(sink, i, i + 1);
        disk->wait_until_written(header + scalars(0, i + 1).size());
    }
    CHECK_EQUAL(body(sink.path()), scalars(0, 3));
}

TEST("sink: much is written before its time") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    Sink sink(options_for(d, disk));
    add_steps(sink, 0, 20000);
    disk->wait_until_written(200'000);
}

// -- files

TEST("sink: sinks in one directory have files of their own") {
    TemporaryDirectory d;
    Sink a(options_for(d));
    Sink b(options_for(d));
    CHECK(a.path() != b.path());
    CHECK_EQUAL(files(d).size(), 2U);
}

TEST("sink: the directory is made, with those above it, and odd names do not leave it") {
    TemporaryDirectory d;
    SinkOptions options = options_for(d);
    options.directory = (d.path / "a/b//c/").string();
    options.hostname = "ho/../st";
    Sink sink(options);
    CHECK(fs::equivalent(fs::path(sink.path()).parent_path(), d.path / "a/b/c"));
}

TEST("sink: what cannot be opened is an error with its code and path") {
    TemporaryDirectory d;
    std::ofstream(d.path / "file") << "x";
    for (const auto& [directory, code] :
         std::map<std::string, int>{{(d.path / "file").string(), ENOTDIR}, {(d.path / "file/x").string(), ENOTDIR}}) {
        SinkOptions options = options_for(d);
        options.directory = directory;
        int seen = 0;
        try {
            Sink sink(options);
        } catch (const SinkError& error) {
            seen = error.code;
            CHECK_EQUAL(error.path, directory);
        }
        CHECK_EQUAL(seen, code);
    }
    const auto disk = std::make_shared<Disk>();
    disk->be_short(10);
    disk->have_room(25);
    int seen = 0;
    try {
        Sink sink(options_for(d, disk));
    } catch (const SinkError& error) {
        seen = error.code;
    }
    CHECK_EQUAL(seen, ENOSPC);
    CHECK(files(d).empty());
}

TEST("sink: after closing, the next value begins a new file") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    add_steps(sink, 0, 1);
    CHECK(sink.close());
    CHECK(!sink.is_open());
    CHECK(sink.close());
    CHECK(sink.flush());
    CHECK_EQUAL(files(d).size(), 1U);
    const std::string first = sink.path();
    add_steps(sink, 1, 2);
    CHECK(sink.is_open());
    CHECK(sink.flush());
    CHECK(sink.path() != first);
    CHECK_EQUAL(body(first), scalars(0, 1));
    CHECK_EQUAL(body(sink.path()), scalars(1, 2));
}

TEST("sink: what nobody closed is written when the sink goes") {
    TemporaryDirectory d;
    {
        Sink sink(options_for(d));
        add_steps(sink, 0, 100);
    }
    CHECK_EQUAL(body(files(d)[0]), scalars(0, 100));
}

TEST("sink: a moved file is followed") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    add_steps(sink, 0, 1);
    CHECK(sink.flush());
    const std::string moved = (d.path / "moved.tfevents").string();
    fs::rename(sink.path(), moved);
    add_steps(sink, 1, 2);
    CHECK(sink.flush());
    CHECK(fs::equivalent(sink.path(), moved));
    CHECK_EQUAL(levels(sink), "info ");
    CHECK_EQUAL(body(moved), scalars(0, 2));
    CHECK_EQUAL(files(d).size(), 1U);
}

TEST("sink: a removed file is replaced") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    add_steps(sink, 0, 1);
    CHECK(sink.flush());
    fs::remove(sink.path());
    add_steps(sink, 1, 2);
    CHECK(sink.flush());
    CHECK_EQUAL(levels(sink), "warning ");
    CHECK_EQUAL(files(d).size(), 1U);
    CHECK_EQUAL(body(sink.path()), scalars(1, 2));
}

TEST("sink: a removed directory is not made again, but used when it is back") {
    TemporaryDirectory d;
    SinkOptions options = options_for(d);
    options.directory = (d.path / "run").string();
    Sink sink(options);
    fs::remove_all(options.directory);
    add_steps(sink, 0, 2);
    CHECK(!sink.flush());
    CHECK(!sink.problem().empty());
    CHECK(!fs::exists(options.directory));
    CHECK_EQUAL(levels(sink), "error ");
    fs::create_directory(options.directory);
    CHECK(sink.flush());
    CHECK_EQUAL(sink.problem(), "");
    CHECK_EQUAL(levels(sink), "warning info ");
    CHECK_EQUAL(body(sink.path()), scalars(0, 2));
}

// -- threads and forks

TEST("sink: any mix of calls from many threads loses nothing and tears nothing") {
    TemporaryDirectory d;
    SinkOptions options = options_for(d);
    options.max_pending_bytes = 100'000;
    options.flush_secs = 0.001;
    constexpr int kThreads = 6;
    constexpr int kEach = 3000;
    {
        Sink sink(options);
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([&sink, t] {
                const std::string tag = "t" + std::to_string(t);
                for (int i = 0; i < kEach; ++i) {
                    add(sink, tag, static_cast<float>(i), i);
                    if (i % 500 == 499) sink.flush();
                    if (i % 1000 == 999 && t == 0) sink.close();
                    if (i % 100 == 0) {
                        sink.take_notices();
                        sink.path();
                        sink.pending_bytes();
                        sink.problem();
                        sink.is_open();
                        sink.last_step();
                    }
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        CHECK(sink.close());
        CHECK_EQUAL(sink.lost_events(), 0U);
        CHECK_EQUAL(sink.last_step(), kEach - 1);
    }
    const Found found = found_in(d);
    CHECK_EQUAL(found.rows, static_cast<uint64_t>(kThreads * kEach));
    CHECK_EQUAL(found.damage, 0U);
    CHECK_EQUAL(found.torn_bytes, 0U);
    CHECK(files(d).size() <= 4);
}

// Thread sanitizer does not follow a fork of a process that has threads.
#if !CHECK_HAS_THREAD_SANITIZER

TEST("sink: a forked child has a file of its own, and only if it logs") {
    TemporaryDirectory d;
    Sink sink(options_for(d));
    add_steps(sink, 0, 10);
    for (const bool is_logging : {false, true}) {
        const pid_t child = fork();
        if (child == 0) {
            bool is_good = !sink.is_open() && sink.pending_bytes() == 0 && sink.last_step() == 9;
            is_good &= sink.flush() && sink.close();
            if (is_logging) {
                add_steps(sink, 100, 110);
                is_good &= sink.flush() && sink.is_open() && body(sink.path()) == scalars(100, 110);
                is_good &= sink.close();
            }
            _exit(is_good ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK_EQUAL(status, 0);
        CHECK_EQUAL(files(d).size(), is_logging ? 2U : 1U);
    }
    add_steps(sink, 10, 20);
    CHECK(sink.close());
    CHECK_EQUAL(body(sink.path()), scalars(0, 20));
}

// Address sanitizer's allocator stays locked in a child that is forked while another thread allocates.
#if !CHECK_HAS_ADDRESS_SANITIZER

TEST("sink: a fork in the midst of logging blocks no child") {
    TemporaryDirectory d;
    SinkOptions options = options_for(d);
    options.flush_secs = 0.001;
    Sink sink(options);
    std::atomic<bool> is_over{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&] {
            for (int i = 0; !is_over; ++i) add_steps(sink, i, i + 1);
        });
    constexpr int kChildren = 10;
    for (int i = 0; i < kChildren; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            add_steps(sink, 0, 10);
            const bool is_good = sink.flush() && body(sink.path()) == scalars(0, 10) && sink.close();
            _exit(is_good ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK_EQUAL(status, 0);
    }
    is_over = true;
    for (std::thread& thread : threads) thread.join();
    CHECK(sink.close());
    CHECK_EQUAL(files(d).size(), kChildren + 1U);
    CHECK_EQUAL(found_in(d).damage, 0U);
}

#endif
#endif
