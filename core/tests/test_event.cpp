#include <cmath>
#include <limits>

#include "check.hpp"
#include "encode.hpp"
#include "memory_file.hpp"
#include "sightline/event.hpp"
#include "sightline/tensor.hpp"

using namespace sightline;

namespace {

// NaN when the tensor is not a single number.
double scalar_of(const std::string& tensor) {
    TensorScan scan;
    if (!scan_tensor({reinterpret_cast<const uint8_t*>(tensor.data()), tensor.size()}, scan))
        return std::numeric_limits<double>::infinity();
    return scan.is_scalar ? scan.value : std::numeric_limits<double>::quiet_NaN();
}
std::string shape(std::initializer_list<uint64_t> dims) {
    std::string out;
    for (const uint64_t d : dims) out += encode::bytes(2, encode::number(1, d));
    return encode::bytes(2, out);
}
bool is_nan(double v) { return std::isnan(v); }

}  // namespace

TEST("a single number is found in every place a tensor may keep it") {
    using namespace encode;
    CHECK_EQUAL(scalar_of(number(1, 1) + bytes(4, fixed32(0x3FC00000))), 1.5);
    CHECK_EQUAL(scalar_of(number(1, 1) + f32(5, 2.5F)), 2.5);
    CHECK_EQUAL(scalar_of(number(1, 1) + bytes(5, fixed32(0x3FC00000))), 1.5);
    CHECK_EQUAL(scalar_of(number(1, 2) + shape({1}) + f64(6, -0.1)), -0.1);
    CHECK_EQUAL(scalar_of(number(1, 3) + number(7, static_cast<uint64_t>(-7))), -7.0);
    CHECK_EQUAL(scalar_of(number(1, 3) + bytes(7, varint(static_cast<uint64_t>(-7)))), -7.0);
    CHECK_EQUAL(scalar_of(number(1, 9) + number(10, static_cast<uint64_t>(-1) << 40)), -std::ldexp(1, 40));
    CHECK_EQUAL(scalar_of(number(1, 23) + number(17, ~uint64_t{0})), 18446744073709551615.0);
    CHECK_EQUAL(scalar_of(number(1, 10) + number(11, 1)), 1.0);
    CHECK_EQUAL(scalar_of(number(1, 19) + number(13, 0x3E00)), 1.5);
    CHECK_EQUAL(scalar_of(number(1, 14) + number(13, 0x3FC0)), 1.5);
    CHECK_EQUAL(scalar_of(number(1, 19) + number(13, 0x3FC00000)), 1.5);  // torch's add_tensor
    CHECK_EQUAL(scalar_of(number(1, 4) + number(16, 200)), 200.0);        // and its uint8
    CHECK_EQUAL(scalar_of(number(1, 25) + bytes(18, "\x3C")), 1.5);
    CHECK_EQUAL(scalar_of(number(1, 6) + shape({1, 1, 1}) + bytes(4, "\xFE")), -2.0);
    CHECK_EQUAL(scalar_of(number(1, 101) + f32(5, 2.5F)), 2.5);  // a reference type
    CHECK_EQUAL(scalar_of(number(1, 1)), 0.0);                   // zeros may be left out
}

TEST("what is not a single number is not taken for one") {
    using namespace encode;
    CHECK(is_nan(scalar_of(number(1, 1) + shape({2}) + bytes(5, fixed32(0) + fixed32(0)))));
    CHECK(is_nan(scalar_of(number(1, 1) + shape({0}))));
    CHECK(is_nan(scalar_of(number(1, 7) + bytes(8, "text"))));
    CHECK(is_nan(scalar_of(number(1, 8) + bytes(9, fixed32(0) + fixed32(0)))));
    CHECK(is_nan(scalar_of(number(1, 1) + bytes(4, "abc"))));
    CHECK(is_nan(scalar_of(number(1, 1) + shape({uint64_t{1} << 62, uint64_t{1} << 62}))));
    CHECK(std::isinf(scalar_of(number(1, 1) + "\x2A\x7F")));  // malformed
}

TEST("the fast path gives the same rows as the general one") {
    using namespace encode;
    for (const int64_t step : {int64_t{0}, int64_t{1}, int64_t{127}, int64_t{128}, int64_t{1} << 53, int64_t{-1},
                               std::numeric_limits<int64_t>::min()}) {
        for (const std::string& tag : {std::string("a"), std::string("train/loss"), std::string(60, 'x'),
                                       std::string(200, 'y'), std::string()}) {
            const std::string payload = event(5.5, step, summary(bytes(1, tag) + f32(2, 0.25F)));
            const std::string with_unknown_field = payload + number(99, 1);
            Batch fast;
            Batch slow;
            const auto* data = reinterpret_cast<const uint8_t*>(payload.data());
            if (!decode_simple_scalar(data, payload.size(), fast)) CHECK(decode_event(data, payload.size(), 0, fast));
            CHECK(decode_event(reinterpret_cast<const uint8_t*>(with_unknown_field.data()), with_unknown_field.size(),
                               0, slow));
            CHECK_EQUAL(fast.active().size(), 1U);
            CHECK_EQUAL(slow.active().size(), 1U);
            for (size_t k = 0; k < 3; ++k) CHECK_EQUAL(fast.active()[0]->column[k][0], slow.active()[0]->column[k][0]);
            CHECK_EQUAL(fast.active()[0]->slot->tag, slow.active()[0]->slot->tag);
        }
    }
}

TEST("the fast path for tensors gives the same rows as the general one") {
    using namespace encode;
    const std::string metadata = bytes(9, bytes(1, bytes(1, "scalars")));
    const std::string head = number(1, 1) + shape({});
    std::string file;
    std::string plain_file;  // the same with a field that no fast path knows
    int64_t step = 0;
    for (const std::string& tensor :
         {head + bytes(4, fixed32(0x3FC00000)), head + f32(5, 2.5F), head + bytes(5, fixed32(0x40000000)),
          number(1, 2) + f64(6, 0.1), head, head + bytes(5, fixed32(1) + fixed32(2))}) {
        for (const std::string& meta : {std::string(), metadata, bytes(9, bytes(1, bytes(1, "other")))}) {
            for (const std::string& tag : {std::string("t"), std::string(150, 't'), std::string()}) {
                const std::string payload =
                    event(7, ++step % 4, summary(bytes(1, tag + meta) + bytes(8, tensor) + meta));
                const std::string later =
                    event(8, step, summary(bytes(1, tag + meta) + bytes(8, tensor) + (step % 2 ? meta : "")));
                file += record(payload) + record(later);
                plain_file += record(payload + number(99, 1)) + record(later + number(99, 1));
            }
        }
    }
    const auto scalars_in = [](const std::string& data) {
        MemoryFile source;
        source.data = data;
        Reading reading;
        reading.read(source);
        std::string out;
        reading.file.with_content([&](const FileContent& c) {
            for (const auto& s : c.series)
                for (size_t r = 0; r < s.rows.size(); ++r) {
                    out += reading.tables.tags.at(s.tag_id) + std::to_string(static_cast<int>(s.form));
                    const size_t columns = s.form == Form::kScalar ? 3 : 2;  // offsets differ
                    for (size_t k = 0; k < columns; ++k) out += "," + std::to_string(s.rows.column(k)[r]);
                }
        });
        return out;
    };
    CHECK_EQUAL(scalars_in(file), scalars_in(plain_file));
}

TEST("a series counts as told only when the owner has heard of its commit") {
    MemoryFile source;
    source.data = encode::scalar("loss", 1, 1.0F);
    Tables tables;
    EventFile file(0, "memory", "run", false, tables);
    Workspace workspace;
    const std::atomic<bool> never{false};
    size_t commits = 0;
    read_in_order(
        file, source, file.begin(source, {}), workspace,
        [&](const Committed& done, uint64_t) {
            CHECK_EQUAL(done.new_series.size(), 1U);
            CHECK(!file.has_told_series(done.new_series[0]));
            --file.untold_commits;
            CHECK(file.has_told_series(done.new_series[0]));
            ++commits;
        },
        never);
    CHECK_EQUAL(commits, 1U);
}

TEST("a record is kept whole or not at all") {
    using namespace encode;
    const std::string good = bytes(1, bytes(1, "a") + f32(2, 1));
    const std::string bad = bytes(1, bytes(1, "b") + bytes(8, "\x2A\x7F"));
    Batch batch;
    const std::string payload = event(1, 1, bytes(5, good + bad));
    CHECK(!decode_event(reinterpret_cast<const uint8_t*>(payload.data()), payload.size(), 0, batch));
    CHECK(batch.active().empty());
}

TEST("a value without a tag takes the node's name, and single numbers of other plugins stay readable as tensors") {
    using namespace encode;
    const std::string number_tensor = bytes(8, encode::number(1, 1) + f32(5, 4));
    MemoryFile source;
    source.data =
        record(event(1, 1, summary(bytes(7, "node") + f32(2, 1)))) +
        record(event(1, 2, summary(bytes(1, "mine") + number_tensor + bytes(9, bytes(1, bytes(1, "my_plugin")))))) +
        record(event(1, 3, summary(bytes(1, "mine") + number_tensor))) +
        record(event(1, 4, summary(bytes(1, "plain") + number_tensor)));
    Reading reading;
    reading.read(source);
    CHECK_EQUAL(reading.steps("node").size(), 1U);
    size_t raw = 0;
    reading.file.with_content([&](const FileContent& c) {
        for (const auto& s : c.series)
            if (s.form == Form::kScalarTensor) raw += s.rows.size();
    });
    CHECK_EQUAL(raw, 2U);
    CHECK_EQUAL(reading.steps("mine").size(), 2U);
    CHECK_EQUAL(reading.steps("plain").size(), 1U);
}

TEST("a START in the file marks where earlier rows were superseded") {
    using namespace encode;
    MemoryFile source;
    source.data = session_start(0, 1000);
    for (int i = 0; i < 10; ++i) source.data += scalar("a", i, 1);
    source.data += session_start(7, 1100) + session_start(5, 1101);
    for (int i = 5; i < 8; ++i) source.data += scalar("a", i, 2, 2000);
    for (const uint64_t segment : {uint64_t{64}, uint64_t{1} << 20}) {
        Reading reading;
        reading.read_in_segments(source, segment, 2);
        reading.file.with_content([&](const FileContent& c) {
            CHECK_EQUAL(c.series[0].breaks.size(), 1U);
            CHECK_EQUAL(c.series[0].breaks[0].row, 10U);
            CHECK_EQUAL(c.series[0].breaks[0].start_step, 5);
        });
    }
}
