#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "check.hpp"
#include "encode.hpp"
#include "sightline/index.hpp"
#include "temporary_directory.hpp"

using namespace sightline;
namespace fs = std::filesystem;

namespace {

std::string scalars(int count, int first = 0) {
    std::string out;
    for (int i = first; i < first + count; ++i) out += encode::scalar("loss", i, static_cast<float>(i));
    return out;
}

void write(const fs::path& path, const std::string& data, bool is_append = false) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, is_append ? std::ios::binary | std::ios::app : std::ios::binary) << data;
}

size_t points(Index& index, const std::string& run) {
    size_t n = 0;
    for (const auto& s : index.series(run)) n += s.count;
    return n;
}

std::string names(Index& index) {
    std::string out;
    for (const auto& name : index.run_names()) out += name + " ";
    return out;
}

std::string everything(Index& index) {
    std::ostringstream out;
    for (const auto& run : index.run_names())
        for (const auto& s : index.series(run))
            for (const auto& part : index.parts(run, s.tag, s.form)) {
                out << run << " " << s.tag << " " << static_cast<int>(s.form) << " " << s.plugin << " ";
                for (size_t r = 0; r < part.rows.size; ++r)
                    for (size_t k = 0; k < column_count(part.form); ++k) out << part.rows.column[k][r] << ",";
                out << "\n";
            }
    return out.str();
}

}  // namespace

TEST("a directory with event files is a run, named by its path below the root") {
    TemporaryDirectory d;
    write(d.path / "events.out.tfevents.1", scalars(1));
    write(d.path / "a/b/events.out.tfevents.1", scalars(2));
    write(d.path / "a/b/notes.txt", "no");
    write(d.path / "c/x.tfevents.y", scalars(3));
    fs::create_directories(d.path / "events.out.tfevents.dir/e");
    Index index(2);
    index.add_root({d.path.string() + "/", "", {}, {}});
    index.scan();
    CHECK_EQUAL(names(index), ". a/b c ");
    CHECK_EQUAL(points(index, "a/b"), 2U);
    Index named(2);
    named.add_root({d.path.string(), "exp", {"a*"}, {}});
    named.scan();
    CHECK_EQUAL(names(named), "exp/a/b ");
    Index without(2);
    without.add_root({d.path.string(), "", {}, {"a"}});
    without.scan();
    CHECK_EQUAL(names(without), ". c ");
}

TEST("links are followed once, loops end, and the direct path gives the name") {
    TemporaryDirectory d;
    TemporaryDirectory elsewhere;
    write(d.path / "z/events.out.tfevents.1", scalars(1));
    write(elsewhere.path / "far/events.out.tfevents.1", scalars(2));
    fs::create_symlink(d.path / "z", d.path / "a_link_to_z");
    fs::create_symlink(d.path, d.path / "z/loop");
    fs::create_symlink("self.tfevents", d.path / "self.tfevents");
    fs::create_symlink("nowhere", d.path / "dangling.tfevents");
    fs::create_symlink(elsewhere.path, d.path / "out");
    for (int round = 0; round < 5; ++round) {
        Index index(2);
        index.add_root({d.path.string(), "", {}, {}});
        index.scan();
        CHECK_EQUAL(names(index), "out/far z ");
    }
}

TEST("growth, new runs, replaced and vanished files are seen by refresh and by scan") {
    for (const bool by_refresh : {true, false}) {
        TemporaryDirectory d;
        const fs::path file = d.path / "run/events.out.tfevents.1";
        write(file, encode::header() + scalars(5));
        Index index(2);
        index.add_root({d.path.string(), "", {}, {}});
        index.scan();
        index.watch_changes(true);
        const auto look = [&](const fs::path& path) {
            if (by_refresh)
                index.refresh({path.string()});
            else
                index.scan();
        };
        write(file, scalars(5, 5), true);
        look(file);
        CHECK_EQUAL(points(index, "run"), 10U);
        auto changes = index.take_changes();
        CHECK_EQUAL(changes.size(), 1U);
        CHECK_EQUAL(changes[0].tags.size(), 1U);
        CHECK(!changes[0].is_reset);

        write(d.path / "new/deep/events.out.tfevents.1", scalars(3));
        look(d.path / "new");
        CHECK_EQUAL(points(index, "new/deep"), 3U);

        write(d.path / "other", encode::record(encode::f64(1, 7)) + scalars(2));
        fs::rename(d.path / "other", file);
        look(file);
        CHECK_EQUAL(points(index, "run"), 2U);
        bool was_reset = false;
        for (const auto& change : index.take_changes())
            was_reset = was_reset || (change.run == "run" && change.is_reset);
        CHECK(was_reset);

        fs::remove_all(d.path / "run");
        look(d.path / "run");
        CHECK_EQUAL(names(index), "new/deep ");
        changes = index.take_changes();
        CHECK_EQUAL(changes.size(), 1U);
        CHECK(changes[0].is_removed);
    }
}

namespace {

// What the only change since the last question says; fails when there is not exactly one.
bool has_new_series(Index& index) {
    const auto changes = index.take_changes();
    CHECK_EQUAL(changes.size(), 1U);
    return !changes.empty() && changes[0].has_new_series;
}

}  // namespace

TEST("a change tells whether the run has a series that it did not have before") {
    TemporaryDirectory d;
    const fs::path file = d.path / "run/events.out.tfevents.1";
    const fs::path second = d.path / "run/events.out.tfevents.2";
    write(file, encode::header() + scalars(5));
    Index index(2);
    index.add_root({d.path.string(), "", {}, {}});
    index.watch_changes(true);
    index.scan();
    CHECK(has_new_series(index));  // the run is new
    write(file, scalars(5, 5), true);
    index.scan();
    CHECK(!has_new_series(index));
    write(file, scalars(1, 10) + encode::scalar("acc", 10, 1.0F), true);
    index.scan();
    CHECK(has_new_series(index));
    write(file, encode::record(encode::number(2, 11) + encode::bytes(4, "graph")), true);
    index.scan();
    CHECK(has_new_series(index));
    // A restarted job begins a file of its own, and logs the same.
    write(second, encode::header() + scalars(5, 10) + encode::scalar("acc", 10, 1.0F));
    index.scan();
    CHECK(!has_new_series(index));
    write(second, encode::scalar("lr", 11, 1.0F), true);
    index.scan();
    CHECK(has_new_series(index));
    fs::remove(second);
    index.scan();
    CHECK(has_new_series(index));  // reset: what is left may be less
}

TEST("a series that a cache knew is new to a run only once") {
    TemporaryDirectory d;
    const fs::path file = d.path / "logs/run/events.out.tfevents.1";
    write(file, encode::header() + scalars(5));
    const std::string cache = (d.path / "cache").string();
    fs::create_directories(cache);
    {
        Index index(1);
        index.add_root({(d.path / "logs").string(), "", {}, {}});
        index.scan();
        CHECK(index.save_cache(cache) > 0);
    }
    Index index(1);
    index.add_root({(d.path / "logs").string(), "", {}, {}});
    index.watch_changes(true);
    CHECK_EQUAL(index.load_cache(cache), 1U);
    CHECK(has_new_series(index));
    write(file, scalars(5, 5), true);
    write(d.path / "logs/run/events.out.tfevents.2", scalars(5, 10));
    index.scan();
    CHECK(!has_new_series(index));
}

TEST("a series that two files of a run get at the same time is told") {
    for (int attempt = 0; attempt < 50; ++attempt) {
        TemporaryDirectory d;
        for (int i = 0; i < 4; ++i)
            write(d.path / "run" / ("events.out.tfevents." + std::to_string(i)), encode::header());
        Index index(4);
        index.add_root({d.path.string(), "", {}, {}});
        index.watch_changes(true);
        index.scan();
        index.take_changes();
        for (int i = 0; i < 4; ++i)
            write(d.path / "run" / ("events.out.tfevents." + std::to_string(i)), scalars(1), true);
        index.scan();
        CHECK(has_new_series(index));
    }
}

TEST("a second scan of files that did not change reads nothing") {
    TemporaryDirectory d;
    write(d.path / "run/events.out.tfevents.1", scalars(5));
    Index index(1);
    index.add_root({d.path.string(), "", {}, {}});
    index.scan();
    const Progress before = index.progress();
    const uint64_t revision = index.revision("run");
    index.scan();
    CHECK_EQUAL(index.progress().files_total, before.files_total);
    CHECK_EQUAL(index.revision("run"), revision);
}

TEST("the cache brings everything back and reading goes on where it ended") {
    TemporaryDirectory d;
    TemporaryDirectory cache;
    const fs::path file = d.path / "run/events.out.tfevents.1";
    write(file,
          encode::header() + scalars(50) + encode::text("note", 1, "hello") + std::string(20, '\x5A') + scalars(3, 50));
    write(d.path / "two/events.out.tfevents.1", scalars(7));
    const auto open = [&](Index& index) {
        index.load_cache(cache.path.string());
        index.add_root({d.path.string(), "", {}, {}});
        index.scan();
    };
    std::string wanted;
    {
        Index index(2);
        open(index);
        CHECK(index.save_cache(cache.path.string()) > 0);
        CHECK_EQUAL(index.save_cache(cache.path.string()), 0U);
        wanted = everything(index);
    }
    {
        Index index(2);
        open(index);
        CHECK_EQUAL(everything(index), wanted);
        CHECK_EQUAL(index.files("run")[0]->with_facts([](const FileContent& c) { return c.facts.damage_count; }), 1U);
    }
    write(file, scalars(10, 60), true);
    Index grown(2);
    open(grown);
    CHECK_EQUAL(points(grown, "run"), 64U);
    CHECK(grown.progress().bytes_total < 1000U);  // only the new bytes
    Index fresh(2);
    fresh.add_root({d.path.string(), "", {}, {}});
    fresh.scan();
    CHECK_EQUAL(everything(grown), everything(fresh));
}

TEST("what the cache knows can be looked at before anything was scanned, and a scan drops what is gone") {
    TemporaryDirectory d;
    TemporaryDirectory cache;
    write(d.path / "stays/events.out.tfevents.1", scalars(5));
    write(d.path / "goes/events.out.tfevents.1", scalars(7));
    {
        Index index(1);
        index.add_root({d.path.string(), "", {}, {}});
        index.scan();
        index.save_cache(cache.path.string());
    }
    fs::remove_all(d.path / "goes");
    write(d.path / "stays/events.out.tfevents.1", scalars(1, 5), true);
    Index index(1);
    index.add_root({d.path.string(), "", {}, {}});
    CHECK_EQUAL(index.load_cache(cache.path.string()), 2U);
    CHECK_EQUAL(names(index), "goes stays ");
    CHECK_EQUAL(points(index, "goes"), 7U);
    index.scan();
    CHECK_EQUAL(names(index), "stays ");
    CHECK_EQUAL(points(index, "stays"), 6U);
    Index elsewhere(1);
    elsewhere.add_root({cache.path.string(), "", {}, {}});
    elsewhere.load_cache(cache.path.string());
    CHECK_EQUAL(names(elsewhere), "");
}

TEST("whatever is done to a pack, what is read stays right") {
    TemporaryDirectory d;
    TemporaryDirectory cache;
    write(d.path / "run/events.out.tfevents.1", encode::header() + scalars(40) + encode::text("note", 1, "hello"));
    // Old enough to be trusted by its time stamp, so that the pack is really used.
    fs::last_write_time(d.path / "run/events.out.tfevents.1", fs::file_time_type::clock::now() - std::chrono::hours(1));
    Index fresh(1);
    fresh.load_cache(cache.path.string());
    fresh.add_root({d.path.string(), "", {}, {}});
    fresh.scan();
    fresh.save_cache(cache.path.string());
    const std::string wanted = everything(fresh);
    const fs::path pack = fs::directory_iterator(cache.path)->path();
    const auto written = fs::last_write_time(pack);
    std::string bytes;
    {
        std::ifstream in(pack, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::mt19937 random(3);
    for (size_t round = 0; round < 300; ++round) {
        std::string damaged = bytes;
        if (round % 5 == 0)
            damaged.resize(random() % damaged.size());
        else
            damaged[round < bytes.size() ? random() % bytes.size() : 0] ^= static_cast<char>(1 + random() % 255);
        write(pack, damaged);
        if (round % 3 == 0) {  // without a trace in the time stamp, but as another file
            write(pack.string() + ".new", damaged);
            fs::last_write_time(pack.string() + ".new", written);
            fs::rename(pack.string() + ".new", pack);
        }
        Index index(1);
        index.load_cache(cache.path.string());
        index.add_root({d.path.string(), "", {}, {}});
        index.scan();
        CHECK_EQUAL(everything(index), wanted);
    }
}

TEST("many small saves are merged into one pack") {
    TemporaryDirectory d;
    TemporaryDirectory cache;
    Index index(1);
    index.load_cache(cache.path.string());
    index.add_root({d.path.string(), "", {}, {}});
    for (int i = 0; i < 30; ++i) {
        write(d.path / ("run" + std::to_string(i)) / "events.out.tfevents.1", scalars(5));
        index.scan();
        index.save_cache(cache.path.string());
    }
    const auto count = std::distance(fs::directory_iterator(cache.path), fs::directory_iterator());
    CHECK(count <= 9);
    Index again(1);
    CHECK_EQUAL(again.load_cache(cache.path.string()), 30U);
}

TEST("a stream is read piece by piece, resumed, and read anew when it was replaced") {
    const std::string data = encode::header() + scalars(100) + std::string(30, '\x5A') + scalars(10, 100);
    Index index(1);
    const uint32_t id = index.add_stream("remote", "s3://bucket/events.out.tfevents.1");
    uint64_t at = index.set_stream_size(id, data.size(), "etag1");
    CHECK_EQUAL(at, 0U);
    while (at < data.size()) at = index.feed(id, std::string_view(data).substr(at, 777));
    CHECK_EQUAL(points(index, "remote"), 110U);
    const std::string more = data + scalars(5, 110);
    at = index.set_stream_size(id, more.size(), "etag2");
    CHECK_EQUAL(at, data.size());
    at = index.feed(id, std::string_view(more).substr(at));
    CHECK_EQUAL(points(index, "remote"), 115U);
    const std::string other = encode::record(encode::f64(1, 3)) + scalars(400);
    at = index.set_stream_size(id, other.size(), "etag3");
    at = index.feed(id, std::string_view(other).substr(at));
    CHECK_EQUAL(at, 0U);
    index.feed(id, other);
    CHECK_EQUAL(points(index, "remote"), 400U);
    CHECK_EQUAL(index.set_stream_size(id, 10, "etag4"), 0U);
    index.remove_stream(id);
    CHECK_EQUAL(names(index), "");
}

TEST("questions may be asked from other threads while files are read") {
    TemporaryDirectory d;
    const std::string large = encode::header() + scalars(250'000);  // enough for several segments
    write(d.path / "large/events.out.tfevents.1", large);
    for (int i = 0; i < 50; ++i) write(d.path / ("small" + std::to_string(i)) / "events.out.tfevents.1", scalars(20));
    Index index(3);
    index.add_root({d.path.string(), "", {}, {}});
    index.watch_changes(true);
    std::atomic<bool> is_done{false};
    std::thread reader([&] {
        size_t last = 0;
        while (!is_done) {
            for (const auto& name : index.run_names()) index.series(name);
            for (const auto& part : index.parts("large", "loss", Form::kScalar)) {
                CHECK(part.rows.size >= last);
                last = part.rows.size;
                for (size_t i = 0; i < part.rows.size; i += 1013)
                    CHECK_EQUAL(static_cast<size_t>(part.rows.column[0][i]), i);
            }
            index.take_changes();
            index.progress();
        }
    });
    index.scan();
    is_done = true;
    reader.join();
    CHECK_EQUAL(points(index, "large"), 250'000U);
    CHECK_EQUAL(index.progress().files_done, 51U);
    CHECK_EQUAL(index.progress().bytes_done, index.progress().bytes_total);
}

TEST("a file that is found on two ways in one pass is read once") {
    TemporaryDirectory d;
    const fs::path file = d.path / "run/events.out.tfevents.1";
    Index index(3);
    index.add_root({d.path.string(), "", {}, {}});
    index.add_root({(d.path / "run").string(), "mine", {}, {}});
    write(file, encode::header() + scalars(20'000));
    for (int round = 0; round < 20; ++round) {
        index.refresh({(d.path / "run").string(), file.string(), d.path.string()});
        size_t n = 0;
        for (const auto& name : index.run_names()) n += points(index, name);
        CHECK_EQUAL(n, 20'000U + static_cast<size_t>(round) * 100);
        write(file, scalars(100, 20'000 + round * 100), true);
    }
}

TEST("excludes are about runs, by refresh as by scan") {
    TemporaryDirectory d;
    const fs::path file = d.path / "run/events.out.tfevents.1.host";
    write(file, scalars(3));
    Index index(1);
    index.add_root({d.path.string(), "", {}, {"*host*"}});
    index.scan();
    write(file, scalars(3, 3), true);
    index.refresh({file.string()});
    CHECK_EQUAL(points(index, "run"), 6U);
}

TEST("a stream whose cached columns are damaged is asked for again from its beginning") {
    TemporaryDirectory cache;
    const std::string data = encode::header() + scalars(500);
    {
        Index index(1);
        const uint32_t id = index.add_stream("remote", "s3://bucket/events.out.tfevents.1");
        index.set_stream_size(id, data.size(), "etag");
        index.feed(id, data);
        index.save_cache(cache.path.string());
    }
    {
        Index index(1);
        index.load_cache(cache.path.string());
        const uint32_t id = index.add_stream("remote", "s3://bucket/events.out.tfevents.1");
        CHECK_EQUAL(index.set_stream_size(id, data.size(), "etag"), data.size());
        CHECK_EQUAL(points(index, "remote"), 500U);
    }
    const fs::path pack = fs::directory_iterator(cache.path)->path();
    std::fstream(pack, std::ios::binary | std::ios::in | std::ios::out).seekp(200).put('\x7F');
    Index index(1);
    index.load_cache(cache.path.string());
    const uint32_t id = index.add_stream("remote", "s3://bucket/events.out.tfevents.1");
    CHECK_EQUAL(index.set_stream_size(id, data.size(), "etag"), 0U);
    index.feed(id, data);
    CHECK_EQUAL(points(index, "remote"), 500U);
}
