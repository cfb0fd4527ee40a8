// Any bytes as histograms and as precision-recall curves: nothing may crash or take memory without bound, and a damaged value
// must not touch the ones around it.
//
// The first byte chooses the kind and whether the rest is wrapped as a tensor of the kind's shape or as a legacy
// histogram, so that the search need not find that out by itself.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "../tests/encode.hpp"
#include "sightline/decoded_values.hpp"

using namespace sightline;

namespace {

void must(bool is_so, const char* what) {
    if (is_so) return;
    std::cerr << "not so: " << what << "\n";
    std::abort();
}

wire::Span span_of(const std::string& bytes) { return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}; }

std::string shape(uint64_t rows, uint64_t columns) {
    using namespace encode;
    return bytes(2, bytes(2, number(1, rows)) + bytes(2, number(1, columns)));
}

std::string value_of(uint8_t choice, const std::string& rest) {
    using namespace encode;
    switch (choice / 2 % 4) {
        case 0:
            return rest;
        case 1:
            return bytes(5, rest);
        case 2:
            return bytes(8, rest);
        default:
            return bytes(8, number(1, 1 + choice / 8) + (choice % 2 ? shape(2, 3) : shape(6, 2)) + rest);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const auto kind = data[0] % 2 ? TableKind::kHistogram : TableKind::kPrCurve;
    const std::string good = encode::bytes(
        8, encode::number(1, 2) + (kind == TableKind::kHistogram ? shape(1, 3) : shape(6, 1)) + encode::f64(6, 4));
    const std::string value = value_of(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
    DecodedValues values(kind);
    values.add(span_of(good));
    values.add(span_of(value));
    values.add(span_of(good));
    must(values.size.size() == 3 && values.state.size() == 3, "each value has a size and a state");
    must(values.state[0] == ValueState::kGood && values.state[2] == ValueState::kGood, "good values stay good");
    must(values.state[1] == ValueState::kGood || values.size[1] == 0, "what is damaged takes no place");
    must(uint64_t{values.size[1]} * values.columns.size() <= kMostElements, "a value is bounded");
    for (const std::vector<double>& column : values.columns) {
        must(column.size() == size_t{2} + values.size[1], "columns have the length of all sizes");
        must(column.front() == 4 && column.back() == 4, "neighbours keep their numbers");
    }
    return 0;
}
