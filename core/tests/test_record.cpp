#include <random>

#include "check.hpp"
#include "encode.hpp"
#include "memory_file.hpp"

using namespace sightline;

namespace {

std::string many_scalars(int count, int first = 0) {
    std::string out;
    for (int i = first; i < first + count; ++i) out += encode::scalar(i % 3 ? "loss" : "acc", i, static_cast<float>(i));
    return out;
}

// As part of other data: what is logged later is older.
std::string older_scalars(int count) {
    std::string out = encode::record(encode::f64(1, 500));
    for (int i = 0; i < count; ++i) out += encode::scalar("loss", i, static_cast<float>(i), 500);
    return out;
}

size_t scalar_count(const std::string& data) {
    MemoryFile source;
    source.data = data;
    Reading reading;
    reading.read(source);
    return reading.steps("loss").size() + reading.steps("acc").size();
}

std::string flipped(std::string data, size_t at) {
    data[at] = static_cast<char>(data[at] ^ 0x10);
    return data;
}

// A file with all sorts of records and, sometimes, all sorts of damage.
std::string random_file(std::mt19937& random, bool is_damaged) {
    std::string out = encode::header();
    const int records = 1 + static_cast<int>(random() % 60);
    for (int i = 0; i < records; ++i) {
        switch (random() % 8) {
            case 0:
                out += encode::text("note", i, std::string(random() % 300, 'n'));
                break;
            case 1:
                out += encode::text("nested", i, older_scalars(static_cast<int>(random() % 4)));
                break;
            case 2:
                out += encode::session_start(i, 2000 + i);
                break;
            case 3:
                out += encode::record("");
                break;
            default:
                out += encode::scalar(random() % 2 ? "loss" : "acc", i, 1);
        }
        if (!is_damaged || random() % 8 != 0) continue;
        switch (random() % 5) {
            case 0:
                out += std::string(random() % 100, static_cast<char>(random()));
                break;
            case 1:
                out.resize(out.size() - random() % 20);
                break;
            case 2: {
                const size_t at = out.size() - 1 - random() % std::min<size_t>(out.size(), 80);
                out = flipped(out, at);
                break;
            }
            case 3:
                out += encode::record("\xFF\xFF\xFF");
                break;
            default: {
                const std::string length = encode::fixed64(random() % 2 ? uint64_t{1} << 40 : random() % 3000);
                out += length + encode::fixed32(mask_crc(crc32c(length.data(), 8)));
            }
        }
    }
    if (random() % 3 == 0) out.resize(out.size() - random() % std::min<size_t>(out.size(), 40));
    return out;
}

}  // namespace

TEST("damage costs the damaged record only, wherever it is") {
    const std::string before = encode::header() + many_scalars(10);
    const std::string victim = encode::scalar("loss", 10, 10);
    const std::string after = many_scalars(10, 11);
    for (size_t at = 0; at < victim.size(); ++at) {
        CHECK_EQUAL(scalar_count(before + flipped(victim, at) + after), 20U);
    }
    for (size_t kept = 0; kept < victim.size(); ++kept) {
        CHECK_EQUAL(scalar_count(before + victim.substr(0, kept) + after), 20U);
    }
    for (size_t garbage = 1; garbage < 120; ++garbage) {
        CHECK_EQUAL(scalar_count(before + std::string(garbage, '\x5A') + after), 20U);
        CHECK_EQUAL(scalar_count(before + std::string(garbage, '\0') + after), 20U);
    }
}

TEST("every damaged place is counted once, with its size") {
    const std::string a = many_scalars(3);
    const std::string b = encode::scalar("loss", 3, 3);
    MemoryFile source;
    source.data = a + flipped(b, b.size() - 6) + a + std::string(50, '\x5A') + a + encode::record("\xFF") + a;
    Reading reading;
    reading.read(source);
    const FileFacts facts = reading.facts();
    CHECK_EQUAL(facts.damage_count, 3U);
    CHECK_EQUAL(facts.skipped_bytes, b.size() + 50 + 17);
    CHECK(facts.damage[0].reason == DamageReason::kBadPayload);
    CHECK(facts.damage[1].reason == DamageReason::kBadLength);
    CHECK(facts.damage[2].reason == DamageReason::kUndecodable);
    CHECK_EQUAL(facts.damage[1].offset, 2 * a.size() + b.size());
}

TEST("records inside a text are not taken for records of the file") {
    const std::string inner = encode::header() + many_scalars(20);
    const std::string data = encode::header() + encode::text("note", 1, inner) + encode::scalar("loss", 1, 1);
    CHECK_EQUAL(scalar_count(data), 1U);
}

TEST("an unfinished record is waited for, and given up when a whole record follows it") {
    const std::string done = encode::header() + many_scalars(5);
    const std::string pending = encode::text("note", 5, std::string(500, 'n'));
    MemoryFile source;
    Reading reading;
    source.data = done + pending.substr(0, 100);
    reading.read(source);
    CHECK_EQUAL(reading.facts().damage_count, 0U);
    CHECK_EQUAL(reading.state().offset, done.size());
    source.data = done + pending + many_scalars(1);
    reading.read(source);
    CHECK_EQUAL(reading.facts().damage_count, 0U);
    CHECK_EQUAL(reading.steps("acc").size(), 3U);

    Reading other;
    source.data = done + pending.substr(0, 100) + many_scalars(2, 10);
    other.read(source);
    CHECK_EQUAL(other.facts().damage_count, 1U);
    CHECK(other.facts().damage[0].reason == DamageReason::kUnfinished);
    CHECK_EQUAL(other.steps("loss").size() + other.steps("acc").size(), 7U);
}

TEST("a file that grows byte by byte ends up as if it had been read at once") {
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        const std::string data = random_file(random, false);
        MemoryFile source;
        Reading reading;
        for (size_t size = 0; size <= data.size(); size += 1 + random() % 50) {
            source.data = data.substr(0, size);
            reading.read(source);
        }
        source.data = data;
        reading.read(source);
        CHECK_EQUAL(reading.everything(), everything_in(data));
    }
}

TEST("a stream fed in pieces ends up as if it had been read at once, damaged or not") {
    std::mt19937 random(8);
    for (int round = 0; round < 200; ++round) {
        const std::string data = random_file(random, true);
        MemoryFile source;
        source.is_all = false;
        Reading reading;
        const size_t piece = 1 + random() % 300;
        for (size_t size = 0; size < data.size(); size += piece) {
            source.data = data.substr(0, size);
            reading.read(source);
        }
        source.data = data;
        source.is_all = true;
        reading.read(source);
        CHECK_EQUAL(reading.everything(), everything_in(data));
    }
}

TEST("reading in segments gives what reading from front to back gives, damaged or not") {
    std::mt19937 random(9);
    for (int round = 0; round < 400; ++round) {
        MemoryFile source;
        source.data = random_file(random, round % 4 != 0);
        const std::string wanted = everything_in(source.data);
        Reading reading;
        reading.read_in_segments(source, 16 + random() % 500, 1 + round % 3);
        CHECK_EQUAL(reading.everything(), wanted);
    }
}

TEST("records larger than the window are read, and the window shrinks again") {
    MemoryFile source;
    source.data = encode::header() + encode::text("big", 1, std::string(20 << 20, 'b')) + many_scalars(100) +
                  encode::text("big", 2, std::string(3 << 20, 'b')) + many_scalars(100);
    Reading reading;
    reading.read(source);
    CHECK_EQUAL(reading.facts().damage_count, 0U);
    CHECK_EQUAL(reading.facts().record_count, 203U);
    source.data[30 << 10] ^= 1;
    Reading damaged;
    damaged.read(source);
    CHECK_EQUAL(damaged.facts().damage_count, 1U);
    CHECK_EQUAL(damaged.facts().record_count, 202U);
}

TEST("a file made of nothing but headers that claim the whole rest is read in bounded time") {
    std::string data;
    constexpr size_t kSize = 2 << 20;
    while (data.size() < kSize) {
        const std::string length = encode::fixed64(kSize - data.size());
        data += length + encode::fixed32(mask_crc(crc32c(length.data(), 8)));
    }
    data.resize(kSize + 64);
    MemoryFile source;
    source.data = data;
    Reading reading;
    reading.read(source);
    CHECK_EQUAL(reading.facts().record_count, 0U);
    CHECK(reading.state().wasted_bytes < (uint64_t{1} << 30));
}

TEST("a file that was replaced by another is read anew, shorter or longer") {
    const std::string old_data = encode::header() + many_scalars(30);
    const std::string head = encode::record(encode::f64(1, 77) + encode::bytes(3, "brain.Event:2"));
    for (const int count : {2, 200}) {
        MemoryFile source;
        Reading reading;
        source.data = old_data;
        reading.read(source);
        source.data = head + many_scalars(count, 1000);
        reading.read(source);
        CHECK_EQUAL(reading.everything(), everything_in(source.data));
    }
}

TEST("a read that fails or is stopped half-way is not taken for the end, and the next one goes on") {
    MemoryFile source;
    source.data = encode::header() + many_scalars(150'000);  // several commits
    const std::string wanted = everything_in(source.data);
    const auto is_read_to_end = [](Reading& r) {
        return r.file.with_facts([](const FileContent& c) { return c.is_read_to_end; });
    };
    Reading failing;
    source.fails_at = source.data.size() / 2;
    failing.read(source);
    CHECK(!is_read_to_end(failing));
    CHECK_EQUAL(failing.facts().damage_count, 0U);
    Reading failing_in_segments;
    failing_in_segments.read_in_segments(source, 1 << 20, 2);
    CHECK(!is_read_to_end(failing_in_segments));
    source.fails_at = ~uint64_t{0};
    for (Reading* reading : {&failing, &failing_in_segments}) {
        reading->read(source);
        CHECK(is_read_to_end(*reading));
        CHECK(reading->everything() == wanted);
    }

    Reading stopped;
    FileStat stat;
    stat.size = source.size();
    Workspace workspace;
    const auto stop = [&](const auto&, uint64_t) { stopped.is_stopped = true; };
    stopped.file.end(
        read_in_order(stopped.file, source, stopped.file.begin(source, stat), workspace, stop, stopped.is_stopped));
    CHECK(!is_read_to_end(stopped));
    CHECK(stopped.state().offset < source.size());
    stopped.is_stopped = false;
    stopped.read(source);
    CHECK(stopped.everything() == wanted);
}

TEST("what was known stays visible until a rewritten file has been read") {
    MemoryFile source;
    source.data = encode::header() + many_scalars(30);
    Reading reading;
    reading.read(source);
    const uint64_t generation = reading.file.generation();
    source.data = encode::header() + many_scalars(30, 1000).substr(0, source.data.size() - encode::header().size());
    FileStat stat;
    stat.size = source.size();
    stat.mtime_ns = 5;
    const ReadState state = reading.file.begin(source, stat);
    CHECK_EQUAL(state.offset, 0U);
    CHECK_EQUAL(reading.steps("loss")[0], 1);
    Workspace workspace;
    const bool is_end =
        read_in_order(reading.file, source, state, workspace, [](const auto&, uint64_t) {}, reading.is_stopped);
    CHECK_EQUAL(reading.steps("loss")[0], 1);
    reading.file.end(is_end);
    CHECK(reading.steps("loss")[0] >= 1000);
    CHECK(reading.file.generation() != generation);
}

TEST("the first metadata of a tag counts for the whole file, however it is read") {
    using namespace encode;
    const auto value = [](int64_t step, const std::string& plugin) {
        return record(event(1, step,
                            summary(bytes(1, "t") + bytes(8, number(1, 1) + bytes(2, "") + f32(5, 1)) +
                                    (plugin.empty() ? "" : bytes(9, bytes(1, bytes(1, plugin)))))));
    };
    for (const std::string& first : {std::string("mine"), std::string("scalars"), std::string()}) {
        MemoryFile source;
        source.data = value(0, first);
        for (int i = 1; i < 200; ++i) source.data += value(i, i % 3 ? "scalars" : i % 2 ? "mine" : "");
        const std::string wanted = everything_in(source.data);
        for (const uint64_t segment : {uint64_t{64}, uint64_t{500}, uint64_t{3000}}) {
            Reading in_segments;
            in_segments.read_in_segments(source, segment, 3);
            CHECK_EQUAL(in_segments.everything(), wanted);
        }
        MemoryFile part;
        Reading in_pieces;
        for (size_t n = 0; n < source.data.size(); n += 400) {
            part.data = source.data.substr(0, n);
            in_pieces.read(part);
        }
        in_pieces.read(source);
        CHECK_EQUAL(in_pieces.everything(), wanted);
    }
}
