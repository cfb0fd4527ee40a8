// Values that are tables of numbers, many at once.
#include "decoded_values.hpp"

#include <nanobind/stl/optional.h>

#include <array>
#include <string_view>

#include "arrays.hpp"
#include "python.hpp"
#include "sightline/decoded_values.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace sightline;

namespace {

constexpr std::array<const char*, 3> kHistogramColumns = {"left", "right", "counts"};
constexpr std::array<const char*, 6> kCurveColumns = {"true_positives",  "false_positives", "true_negatives",
                                                      "false_negatives", "precision",       "recall"};

// The bytes objects stay where they are while `brought` does.
std::vector<ValueSource> sources_of(const Column<int64_t>& file_id, const Column<uint64_t>& generation,
                                    const Column<uint64_t>& offset, const Column<uint64_t>& length,
                                    const std::optional<nb::list>& brought) {
    const size_t count = file_id.size();
    if (generation.size() != count || offset.size() != count || length.size() != count ||
        (brought && nb::len(*brought) != count))
        throw nb::value_error("The columns of places have the same length");
    std::vector<ValueSource> sources(count);
    for (size_t i = 0; i < count; ++i) {
        ValueSource& source = sources[i];
        source.place = {static_cast<uint32_t>(file_id.data()[i]), generation.data()[i], offset.data()[i],
                        length.data()[i]};
        const nb::object given = brought ? nb::object((*brought)[i]) : nb::none();
        if (given.is_none()) continue;
        if (!PyBytes_Check(given.ptr())) throw nb::type_error("What is brought is bytes, or None");
        source.brought = {reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(given.ptr())),
                          static_cast<size_t>(PyBytes_GET_SIZE(given.ptr()))};
    }
    return sources;
}

template <TableKind kind, size_t N>
auto decoder(const std::array<const char*, N>& names) {
    return [&names](Index& index, const Column<int64_t>& file_id, const Column<uint64_t>& generation,
                    const Column<uint64_t>& offset, const Column<uint64_t>& length,
                    const std::optional<nb::list>& brought, uint64_t most_numbers) -> nb::object {
        const std::vector<ValueSource> sources = sources_of(file_id, generation, offset, length, brought);
        std::optional<DecodedValues> decoded;
        {
            ReleaseGil release;
            decoded = decode_values(kind, index, sources, most_numbers);
        }
        if (!decoded) return nb::none();
        std::vector<uint8_t> state;
        for (const ValueState one : decoded->state) state.push_back(static_cast<uint8_t>(one));
        nb::dict out;
        out["size"] = array_of(std::move(decoded->size));
        out["state"] = array_of(std::move(state));
        for (size_t i = 0; i < N; ++i) out[names[i]] = array_of(std::move(decoded->columns[i]));
        return out;
    };
}

}  // namespace

void bind_decoded_values(nb::class_<Index>& index) {
    index
        .def("decode_histograms", decoder<TableKind::kHistogram>(kHistogramColumns), "file_id"_a, "generation"_a,
             "offset"_a, "length"_a, nb::kw_only(), "brought"_a.none(), "most_numbers"_a)
        .def("decode_pr_curves", decoder<TableKind::kPrCurve>(kCurveColumns), "file_id"_a, "generation"_a, "offset"_a,
             "length"_a, nb::kw_only(), "brought"_a.none(), "most_numbers"_a);
}
