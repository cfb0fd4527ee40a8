#include "sightline/decoded_values.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "check.hpp"
#include "encode.hpp"
#include "temporary_directory.hpp"

using namespace sightline;

namespace {

std::string shape(std::initializer_list<uint64_t> sizes) {
    std::string out;
    for (const uint64_t size : sizes) out += encode::bytes(2, encode::number(1, size));
    return encode::bytes(2, out);
}

std::string packed(std::initializer_list<double> numbers) {
    std::string out;
    for (const double number : numbers) out += encode::f64(1, number).substr(1);
    return out;
}

std::string packed_floats(std::initializer_list<float> numbers) {
    std::string out;
    for (const float number : numbers) out += encode::f32(1, number).substr(1);
    return out;
}

std::string tensor(uint64_t dtype, std::initializer_list<uint64_t> sizes, const std::string& elements) {
    return encode::bytes(8, encode::number(1, dtype) + shape(sizes) + elements);
}

std::string histogram(double min, double max, std::initializer_list<double> limits,
                      std::initializer_list<double> counts) {
    return encode::bytes(5, encode::f64(1, min) + encode::f64(2, max) + encode::bytes(6, packed(limits)) +
                                encode::bytes(7, packed(counts)));
}

wire::Span span_of(const std::string& bytes) { return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}; }

// Sizes, then the columns, in words: "2,0! | 0,1 | 1,3 | 5,2"; "!" stands behind what is damaged, "?" behind what is gone.
std::string words_of(const DecodedValues& values) {
    std::ostringstream out;
    for (size_t i = 0; i < values.size.size(); ++i)
        out << (i > 0 ? "," : "") << values.size[i]
            << (values.state[i] == ValueState::kGood      ? ""
                : values.state[i] == ValueState::kDamaged ? "!"
                                                          : "?");
    for (const std::vector<double>& column : values.columns) {
        out << " |";
        for (size_t i = 0; i < column.size(); ++i) out << (i > 0 ? "," : " ") << column[i];
    }
    return out.str();
}

std::string decoded(TableKind kind, std::initializer_list<std::string> values) {
    DecodedValues out(kind);
    for (const std::string& value : values) out.add(span_of(value));
    return words_of(out);
}

}  // namespace

TEST("both forms of a histogram become buckets, in every place a tensor may keep them") {
    using namespace encode;
    const auto buckets = [](const std::string& value) { return decoded(TableKind::kHistogram, {value}); };
    const std::string wanted = "2 | 0,1 | 1,3 | 5,2";
    CHECK_EQUAL(buckets(tensor(2, {2, 3}, bytes(4, packed({0, 1, 5, 1, 3, 2})))), wanted);
    CHECK_EQUAL(buckets(tensor(2, {2, 3}, bytes(6, packed({0, 1, 5, 1, 3, 2})))), wanted);
    CHECK_EQUAL(buckets(tensor(1, {2, 3}, bytes(4, packed_floats({0, 1, 5, 1, 3, 2})))), wanted);
    CHECK_EQUAL(buckets(tensor(1, {2, 3}, bytes(5, packed_floats({0, 1, 5, 1, 3, 2})))), wanted);
    CHECK_EQUAL(buckets(tensor(2, {2, 3}, f64(6, 0) + f64(6, 1) + bytes(6, packed({5, 1})) + f64(6, 3) + f64(6, 2))),
                wanted);
    CHECK_EQUAL(buckets(tensor(9, {2, 3}, bytes(10, std::string("\0\1\5\1\3\2", 6)))), wanted);
    CHECK_EQUAL(buckets(histogram(0, 3, {1, 9}, {5, 2})), wanted);
    CHECK_EQUAL(buckets(tensor(1, {0, 3}, "")), "0 | | |");
    CHECK_EQUAL(buckets(tensor(1, {2, 3}, f32(5, 7))), "2 | 7,7 | 7,7 | 7,7");
}

TEST("the empty buckets at the ends of a legacy histogram go before min and max become its edges") {
    constexpr double kLargest = std::numeric_limits<double>::max();
    CHECK_EQUAL(decoded(TableKind::kHistogram, {histogram(-2, 5, {-3, -1, 0, 4, kLargest}, {0, 2, 0, 3, 0})}),
                "3 | -2,-1,0 | -1,0,5 | 2,0,3");
    CHECK_EQUAL(decoded(TableKind::kHistogram, {histogram(1, 1, {kLargest}, {4})}), "1 | 1 | 1 | 4");
    CHECK_EQUAL(decoded(TableKind::kHistogram, {histogram(0, 0, {1, 2}, {0, 0})}), "0 | | |");
}

TEST("a curve becomes its six rows, and curves may have different numbers of thresholds") {
    using namespace encode;
    const std::string one = tensor(1, {6, 1}, bytes(4, packed_floats({1, 2, 3, 4, 0.5, 0.25})));
    const std::string two = tensor(2, {6, 2}, bytes(4, packed({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
    CHECK_EQUAL(decoded(TableKind::kPrCurve, {one, two}),
                "1,2 | 1,1,2 | 2,3,4 | 3,5,6 | 4,7,8 | 0.5,9,10 | 0.25,11,12");
}

TEST("what is no such value is damaged, and leaves the others as they are") {
    using namespace encode;
    const std::string good = tensor(2, {1, 3}, bytes(6, packed({0, 1, 5})));
    for (const std::string& bad : {
             std::string(),
             std::string("\x2A\x7F"),
             tensor(2, {3}, bytes(6, packed({0, 1, 5}))),
             tensor(2, {1, 4}, bytes(6, packed({0, 1, 5, 6}))),
             tensor(2, {1, 3}, bytes(6, packed({0, 1, 5, 6}))),  // more than the shape has room for
             tensor(2, {2, 3}, bytes(4, packed({0, 1, 5}))),     // raw content is never continued
             tensor(2, {1, 3}, bytes(4, "abc")),
             tensor(7, {1, 3}, bytes(8, "text")),
             tensor(3, {1, 3}, bytes(7, std::string(12, '\xFF') + '\1')),  // a number of more than ten bytes
             tensor(2, {uint64_t{1} << 40, 3}, f64(6, 1)),
             tensor(2, {uint64_t{1} << 62, uint64_t{1} << 62}, f64(6, 1)),
             histogram(0, 1, {1, 2}, {1}),
             good + f32(2, 1),  // the last member of the oneof counts
         })
        CHECK_EQUAL(decoded(TableKind::kHistogram, {good, bad, good}), "1,0!,1 | 0,0 | 1,1 | 5,5");
    CHECK_EQUAL(decoded(TableKind::kPrCurve, {good, histogram(0, 1, {1}, {1})}), "0!,0! | | | | | |");
}

TEST("a message in pieces is their concatenation") {
    using namespace encode;
    const std::string halves = bytes(8, number(1, 2) + shape({1, 3}) + f64(6, 0)) + bytes(8, bytes(6, packed({1, 5})));
    CHECK_EQUAL(decoded(TableKind::kHistogram, {halves}), "1 | 0 | 1 | 5");
    const std::string thirds = bytes(5, f64(1, -1) + f64(6, 1)) + bytes(5, f64(2, 1)) + bytes(5, bytes(7, packed({4})));
    CHECK_EQUAL(decoded(TableKind::kHistogram, {halves + thirds, halves}), "1,1 | -1,0 | 1,1 | 4,5");
}

TEST("values are read from where the index knows them, until the file is another one") {
    using namespace encode;
    const TemporaryDirectory directory;
    const std::filesystem::path path = directory.path / "events.out.tfevents.1";
    const auto write = [&](int count) {
        const std::filesystem::path next = directory.path / "next";  // another file, in the place of the old one
        {
            std::ofstream file(next, std::ios::binary);
            file << header();
            for (int i = 0; i < count; ++i)
                file << record(event(1000 + i, i, summary(bytes(1, "h") + histogram(0, i, {9}, {1.0 + i}))));
        }
        std::filesystem::rename(next, path);
    };
    write(3);
    Index index(1);
    index.add_root({directory.path.string(), "", {}, {}});
    index.scan();
    const auto sources_now = [&] {
        std::vector<ValueSource> sources;
        for (const SeriesPart& part : index.parts(".", "h", Form::kHistogram))
            for (size_t row = 0; row < part.rows.size; ++row)
                sources.push_back(
                    {{part.file_id, part.generation, part.rows.column[2][row], part.rows.column[3][row]}, {}});
        return sources;
    };
    std::vector<ValueSource> sources = sources_now();
    CHECK_EQUAL(sources.size(), 3U);
    const std::string brought = histogram(5, 6, {6}, {7});
    sources.push_back({{}, span_of(brought)});
    sources.push_back({{99, 1, 0, 4}, {}});                              // no such file
    sources.push_back({{sources[0].place.file_id, 1, 0, 1 << 30}, {}});  // longer than any value may be
    sources.push_back({{sources[0].place.file_id, 7, 0, 4}, {}});        // of another generation
    sources.push_back({{sources[0].place.file_id, 1, 1 << 20, 4}, {}});  // behind the end
    const auto decode = [&](uint64_t most) { return decode_values(TableKind::kHistogram, index, sources, most); };
    CHECK_EQUAL(words_of(decode(12).value()), "1,1,1,1,0?,0!,0?,0? | 0,0,0,5 | 0,1,2,6 | 1,2,3,7");
    CHECK(!decode(11).has_value());

    sources.resize(4);
    write(2);
    CHECK_EQUAL(words_of(decode(12).value()), "0?,0?,0?,1 | 5 | 6 | 7");
    index.scan();
    CHECK_EQUAL(words_of(decode(12).value()), "0?,0?,0?,1 | 5 | 6 | 7");
    sources = sources_now();
    CHECK_EQUAL(words_of(decode(12).value()), "1,1 | 0,0 | 0,1 | 1,2");
}
