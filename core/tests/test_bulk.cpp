#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "check.hpp"
#include "encode.hpp"
#include "sightline/index.hpp"
#include "temporary_directory.hpp"

using namespace sightline;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::string& data) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << data;
}

std::string scalars(const std::string& tag, int first, int count, double wall_time = 1000) {
    std::string out;
    for (int i = first; i < first + count; ++i) out += encode::scalar(tag, i, static_cast<float>(i), wall_time);
    return out;
}

std::string version_of(const std::string& writer) {
    return encode::record(encode::f64(1, 1000) + encode::bytes(3, "brain.Event:2") +
                          encode::bytes(10, encode::bytes(1, writer)));
}

std::string log_message(const std::string& message) {
    return encode::record(encode::bytes(6, encode::number(1, 20) + encode::bytes(2, message)));
}

struct Logs {
    TemporaryDirectory d;
    Index index{2};
    void read() {
        index.add_root({d.path.string(), "", {}, {}});
        index.scan();
    }
};

const TagFacts* find(const TagTable& table, const std::string& tag) {
    for (const TagFacts& t : table.tags)
        if (t.tag == tag) return &t;
    return nullptr;
}

}  // namespace

TEST("the run table has every run by its start, with what its files say together") {
    Logs logs;
    write(logs.d.path / "late/events.out.tfevents.1", encode::header() + scalars("loss", 0, 10, 5000));
    write(logs.d.path / "early/events.out.tfevents.1", scalars("loss", 0, 100) + scalars("acc", 0, 3));
    write(logs.d.path / "early/events.out.tfevents.2", scalars("loss", 50, 20, 9000) + "torn");
    logs.read();
    const auto table = logs.index.run_table("ours");
    CHECK_EQUAL(table.size(), 2U);
    CHECK_EQUAL(table[0].name, "early");
    CHECK_EQUAL(table[0].first_wall_time, 1000.0);
    CHECK_EQUAL(table[0].last_wall_time, 9069.0);
    CHECK_EQUAL(table[0].last_step, 69);
    CHECK_EQUAL(table[0].points, 123U);
    CHECK_EQUAL(table[0].usual_gap_s, 1.0);
    CHECK_EQUAL(table[0].read_bytes, table[0].size_bytes);
    CHECK_EQUAL(table[0].revision, logs.index.revision("early"));
    CHECK(!table[0].is_own);
    CHECK_EQUAL(table[1].name, "late");
    CHECK_EQUAL(table[1].last_step, 9);
}

TEST("runs without scalars have no step, damaged ones say so, unknown ones are left out") {
    Logs logs;
    write(logs.d.path / "text/events.out.tfevents.1", version_of("ours") + encode::text("note", 5, "hello"));
    std::string damaged = scalars("loss", 0, 10);
    damaged[damaged.size() / 2] ^= 0x40;
    write(logs.d.path / "damaged/events.out.tfevents.1", damaged);
    logs.read();
    const auto table = logs.index.run_facts({"gone", "text", "damaged"}, "ours");
    CHECK_EQUAL(table.size(), 2U);
    CHECK_EQUAL(table[0].name, "text");
    CHECK(!table[0].has_step && table[0].is_own && table[0].points == 0 && std::isnan(table[0].usual_gap_s));
    CHECK_EQUAL(table[1].damage_count, 1U);
    CHECK(table[1].has_step);
}

TEST("the tag table has each tag once, with the runs that have it") {
    Logs logs;
    write(logs.d.path / "a/events.out.tfevents.1", scalars("loss", 0, 3) + encode::text("note", 0, "x"));
    write(logs.d.path / "a/events.out.tfevents.2", scalars("loss", 3, 3) + encode::text("note", 1, "x"));
    write(logs.d.path / "b/events.out.tfevents.1", scalars("loss", 0, 3, 2000) + log_message("foreign"));
    write(logs.d.path / "c/events.out.tfevents.1",
          version_of("ours") + log_message("story") + scalars("acc", 0, 1, 3000));
    logs.read();
    const TagTable table = logs.index.tag_table("ours");
    CHECK(table.runs == logs.index.run_names());
    CHECK_EQUAL(table.tags.size(), 4U);
    CHECK(find(table, "loss")->runs == std::vector<uint32_t>({0, 1}));
    CHECK(find(table, "acc")->runs == std::vector<uint32_t>({2}));
    const TagFacts* note = find(table, "note");
    CHECK(note->runs == std::vector<uint32_t>({0}) && note->plugin == "text" && note->form == Form::kTensor);
    CHECK_EQUAL(note->metadata.size(), 1U);
    CHECK(find(table, "__log_message__")->runs == std::vector<uint32_t>({1}));
}

TEST("tables are the same from a warm cache") {
    Logs logs;
    const std::string cache = (logs.d.path / "cache").string();
    fs::create_directories(cache);
    for (int i = 0; i < 20; ++i)
        write(logs.d.path / ("r" + std::to_string(i)) / "events.out.tfevents.1",
              scalars("loss", 0, 5 + i, 1000 + i) + encode::text("note", 0, "x"));
    logs.read();
    logs.index.save_cache(cache);
    Index warm(2);
    warm.add_root({logs.d.path.string(), "", {}, {}});
    warm.load_cache(cache);
    const auto wanted = logs.index.run_table("ours");
    const auto got = warm.run_table("ours");
    CHECK_EQUAL(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) {
        CHECK_EQUAL(got[i].name, wanted[i].name);
        CHECK_EQUAL(got[i].points, wanted[i].points);
        CHECK_EQUAL(got[i].last_step, wanted[i].last_step);
        CHECK_EQUAL(got[i].read_bytes, wanted[i].read_bytes);
    }
    CHECK(find(warm.tag_table("ours"), "loss")->runs == find(logs.index.tag_table("ours"), "loss")->runs);
}

TEST("scalars of one file without restarts are plain, all others are not") {
    Logs logs;
    write(logs.d.path / "plain/events.out.tfevents.1", scalars("loss", 0, 3) + scalars("other", 0, 1));
    write(logs.d.path / "beside/events.out.tfevents.1", scalars("loss", 0, 3));
    write(logs.d.path / "beside/events.out.tfevents.2", scalars("other", 0, 3));
    write(logs.d.path / "two/events.out.tfevents.1", scalars("loss", 0, 3));
    write(logs.d.path / "two/events.out.tfevents.2", scalars("loss", 0, 3, 5000));
    write(logs.d.path / "started/events.out.tfevents.1", encode::session_start(0, 999) + scalars("loss", 0, 3));
    write(logs.d.path / "restarted/events.out.tfevents.1",
          scalars("loss", 0, 3) + encode::session_start(1, 1100) + scalars("loss", 1, 3, 1200));
    write(logs.d.path / "elsewhere/events.out.tfevents.1", scalars("loss", 0, 3));
    write(logs.d.path / "elsewhere/events.out.tfevents.2", encode::session_start(1, 5000) + scalars("other", 1, 3));
    logs.read();
    const std::vector<std::string> runs{"plain", "beside", "started", "two", "restarted", "elsewhere", "gone"};
    const auto found = logs.index.scalar_rows(runs, "loss", XAxis::kStep);
    CHECK_EQUAL(found.size(), runs.size());
    for (size_t i = 0; i < 3; ++i) {
        CHECK(found[i].state == ScalarState::kPlain);
        CHECK_EQUAL(found[i].rows.size, 3U);
    }
    for (size_t i = 3; i < 6; ++i) CHECK(found[i].state == ScalarState::kBranching);
    CHECK(found[6].state == ScalarState::kAbsent);
    for (const auto& rows : logs.index.scalar_rows(runs, "nothing", XAxis::kStep))
        CHECK(rows.state == ScalarState::kAbsent);
}

TEST("the order of a long series is remembered while it grows") {
    Logs logs;
    const fs::path path = logs.d.path / "a/events.out.tfevents.1";
    write(path, scalars("loss", 0, 40'000));
    logs.read();
    CHECK(logs.index.scalar_rows({"a"}, "loss", XAxis::kStep)[0].is_sorted);
    std::ofstream(path, std::ios::binary | std::ios::app) << scalars("loss", 40'000, 10);
    logs.index.refresh({path.string()});
    CHECK(logs.index.scalar_rows({"a"}, "loss", XAxis::kStep)[0].is_sorted);
    CHECK(logs.index.scalar_rows({"a"}, "loss", XAxis::kWall)[0].is_sorted);
    std::ofstream(path, std::ios::binary | std::ios::app) << scalars("loss", 7, 1);
    logs.index.refresh({path.string()});
    CHECK(!logs.index.scalar_rows({"a"}, "loss", XAxis::kStep)[0].is_sorted);
}

TEST("tables may be asked for while files are read") {
    Logs logs;
    for (int i = 0; i < 30; ++i)
        write(logs.d.path / ("r" + std::to_string(i)) / "events.out.tfevents.1", scalars("loss", 0, 200));
    logs.index.add_root({logs.d.path.string(), "", {}, {}});
    std::jthread reader([&] {
        logs.index.scan();
        logs.index.scan();
    });
    for (int i = 0; i < 20; ++i) {
        logs.index.run_table("ours");
        logs.index.tag_table("ours");
        std::vector<SeriesColumns> all;
        std::vector<ScalarRows> kept = logs.index.scalar_rows(logs.index.run_names(), "loss", XAxis::kStep);
        for (const ScalarRows& rows : kept)
            if (rows.state == ScalarState::kPlain)
                all.push_back({reinterpret_cast<const int64_t*>(rows.rows.column[0]),
                               reinterpret_cast<const double*>(rows.rows.column[1]),
                               reinterpret_cast<const double*>(rows.rows.column[2]), rows.rows.size});
        reduce_all(all, {XAxis::kStep, std::nullopt, false, 10, {SmoothingKind::kEma, 0.5}});
    }
    reader.join();
    CHECK_EQUAL(logs.index.run_table("ours").size(), 30U);
}
