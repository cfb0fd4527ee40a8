// Questions about many runs and many series: answers in columns, one crossing for all.
#include "bulk.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "arrays.hpp"
#include "python.hpp"
#include "sightline/aggregate.hpp"
#include "sightline/reduce.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace sightline;

namespace {

constexpr std::array<std::string_view, 4> kAxisNames = {"step", "relative", "wall", "given"};
constexpr std::array<std::string_view, 5> kSmoothingNames = {"none", "ema", "time_ema", "gaussian", "mean"};
constexpr std::array<std::string_view, 2> kCenterNames = {"mean", "median"};
constexpr std::array<std::string_view, 6> kBandNames = {"none", "std", "sem", "minmax", "quartiles", "ci"};

template <class Enum, size_t N>
Enum from_name(const std::array<std::string_view, N>& names, std::string_view name, const char* what) {
    for (size_t i = 0; i < N; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    throw nb::value_error(what);
}

// One member of many structures, as an array.
template <class Row, class T>
nb::object column_of(const std::vector<Row>& rows, T Row::* member) {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>> numbers;
    numbers.reserve(rows.size());
    for (const Row& row : rows) numbers.push_back(row.*member);
    return array_of(std::move(numbers));
}

struct Arrays {
    Column<int64_t> step;
    Column<double> wall, value;
    std::optional<Column<double>> x;
};

// Series to be reduced together. Holds on to whatever their columns lie in.
struct ScalarBatch {
    XAxis x;
    std::vector<SeriesColumns> series;
    std::vector<std::shared_ptr<const Storage>> storages;
    std::vector<Arrays> arrays;

    void add(const ScalarRows& found) {
        const auto& column = found.rows.column;
        storages.push_back(found.rows.storage);
        series.push_back({reinterpret_cast<const int64_t*>(column[0]), reinterpret_cast<const double*>(column[1]),
                          reinterpret_cast<const double*>(column[2]), found.rows.size,
                          std::numeric_limits<double>::quiet_NaN(), found.is_sorted, nullptr});
    }
};

std::vector<uint8_t> add_runs(ScalarBatch& batch, Index& index, const std::vector<std::string>& runs,
                              const std::string& tag) {
    std::vector<uint8_t> states;
    states.reserve(runs.size());
    for (const ScalarRows& found : index.scalar_rows(runs, tag, batch.x)) {
        states.push_back(static_cast<uint8_t>(found.state));
        if (found.state == ScalarState::kPlain) batch.add(found);
    }
    return states;
}

void add_arrays(ScalarBatch& batch, const Column<int64_t>& step, const Column<double>& wall,
                const Column<double>& value, double origin_wall, const std::optional<Column<double>>& x) {
    if (x.has_value() != (batch.x == XAxis::kGiven))
        throw nb::value_error("A series has an x of its own on the axis \"given\", and only there");
    if (step.size() != wall.size() || step.size() != value.size() || (x && step.size() != x->size()))
        throw nb::value_error("The columns of a series have the same length");
    batch.series.push_back(
        {step.data(), wall.data(), value.data(), step.size(), origin_wall, false, x ? x->data() : nullptr});
    batch.arrays.push_back({step, wall, value, x});
}

ReduceOptions options_of(const ScalarBatch& batch, const std::optional<std::pair<double, double>>& x_range,
                         bool is_log_x, uint32_t buckets, const std::string& smoothing, double amount) {
    ReduceOptions options;
    options.x = batch.x;
    if (x_range) options.range = XRange{x_range->first, x_range->second};
    if (x_range && (std::isnan(x_range->first) || std::isnan(x_range->second)))
        throw nb::value_error("A range of x has two ends that are numbers");
    options.is_log = is_log_x;
    options.buckets = buckets;
    options.smoothing = {from_name<SmoothingKind>(kSmoothingNames, smoothing, "no such smoothing"), amount};
    if (buckets == 0) throw nb::value_error("A chart has one column of pixels or more");
    if (!is_valid(options.smoothing))
        throw nb::value_error("A weight is from 0 to below 1, any other amount of smoothing from 0 on");
    return options;
}

nb::dict reduce_batch(const ScalarBatch& batch, const std::optional<std::pair<double, double>>& x_range, bool is_log_x,
                      uint32_t buckets, const std::string& smoothing, double amount) {
    const ReduceOptions options = options_of(batch, x_range, is_log_x, buckets, smoothing, amount);
    ReducedBatch reduced;
    {
        ReleaseGil release;
        reduced = reduce_all(batch.series, options);
    }
    const std::vector<ReducedSeries>& all = reduced.series;
    const size_t count = reduced.count();
    nb::dict out;
    out["step"] = array_of(std::move(reduced.step), count);
    out["wall"] = array_of(std::move(reduced.wall), count);
    out["value"] = array_of(std::move(reduced.value), count);
    out["smoothed"] = reduced.smoothed ? array_of(std::move(reduced.smoothed), count) : nb::none();
    out["x"] = reduced.x ? array_of(std::move(reduced.x), count) : nb::none();
    out["offsets"] = array_of(std::move(reduced.offsets));
    out["total"] = column_of(all, &ReducedSeries::total);
    out["is_exact"] = column_of(all, &ReducedSeries::is_exact);
    out["origin_wall"] = column_of(all, &ReducedSeries::origin_wall);
    out["y_low"] = column_of(all, &ReducedSeries::y_low);
    out["y_high"] = column_of(all, &ReducedSeries::y_high);
    out["core_low"] = column_of(all, &ReducedSeries::core_low);
    out["core_high"] = column_of(all, &ReducedSeries::core_high);
    return out;
}

std::vector<std::vector<uint32_t>> groups_of(const ScalarBatch& batch, const Column<uint32_t>& members,
                                             const Column<uint64_t>& offsets) {
    std::vector<std::vector<uint32_t>> groups;
    const uint32_t* all = members.data();
    if (std::any_of(all, all + members.size(), [&](uint32_t member) { return member >= batch.series.size(); }))
        throw nb::value_error("A member is the position of a series in the batch");
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
        const uint64_t begin = offsets.data()[i];
        const uint64_t end = offsets.data()[i + 1];
        if (begin > end || end > members.size()) throw nb::value_error("Offsets never fall, and end with the members");
        groups.emplace_back(all + begin, all + end);
    }
    return groups;
}

template <class T>
nb::object joined(std::vector<GroupAggregate>& groups, std::vector<T> GroupAggregate::* column) {
    std::vector<T> all;
    for (GroupAggregate& group : groups) {
        const std::vector<T> one = std::move(group.*column);  // gone when it has been copied
        all.insert(all.end(), one.begin(), one.end());
    }
    return array_of(std::move(all));
}

nb::dict aggregate_batch(const ScalarBatch& batch, const Column<uint32_t>& members, const Column<uint64_t>& offsets,
                         const std::optional<std::pair<double, double>>& x_range, bool is_log_x, uint32_t buckets,
                         const std::string& smoothing, double amount, const std::string& center,
                         const std::string& band, bool has_neighbours) {
    const ReduceOptions common = options_of(batch, x_range, is_log_x, buckets, smoothing, amount);
    const AggregateOptions options{common.x,
                                   common.range,
                                   common.is_log,
                                   common.buckets,
                                   common.smoothing,
                                   from_name<Center>(kCenterNames, center, "no such centre"),
                                   from_name<Band>(kBandNames, band, "no such band"),
                                   has_neighbours};
    const std::vector<std::vector<uint32_t>> groups = groups_of(batch, members, offsets);
    std::vector<GroupAggregate> all;
    {
        ReleaseGil release;
        all = aggregate(batch.series, groups, options);
    }
    std::vector<uint64_t> places{0};
    for (const GroupAggregate& group : all) places.push_back(places.back() + group.x.size());
    nb::dict out;
    out["offsets"] = array_of(std::move(places));
    out["is_exact"] = column_of(all, &GroupAggregate::is_exact);
    out["runs"] = column_of(all, &GroupAggregate::runs);
    out["y_low"] = column_of(all, &GroupAggregate::y_low);
    out["y_high"] = column_of(all, &GroupAggregate::y_high);
    out["x"] = joined(all, &GroupAggregate::x);
    out["center"] = joined(all, &GroupAggregate::center);
    const bool has_band = options.band != Band::kNone;
    out["low"] = has_band ? joined(all, &GroupAggregate::low) : nb::none();
    out["high"] = has_band ? joined(all, &GroupAggregate::high) : nb::none();
    out["members"] = joined(all, &GroupAggregate::members);
    std::vector<uint64_t> break_offsets{0};
    for (const GroupAggregate& group : all) break_offsets.push_back(break_offsets.back() + group.breaks.size());
    out["break_offsets"] = array_of(std::move(break_offsets));
    out["breaks"] = joined(all, &GroupAggregate::breaks);
    return out;
}

nb::object smooth_array(const std::string& kind, double amount, const Column<double>& value,
                        const Column<double>& wall) {
    const Smoothing how{from_name<SmoothingKind>(kSmoothingNames, kind, "no such smoothing"), amount};
    if (!is_valid(how)) throw nb::value_error("A weight is from 0 to below 1, any other amount of smoothing from 0 on");
    if (value.size() != wall.size()) throw nb::value_error("The columns of a series have the same length");
    std::vector<double> out(value.size());
    {
        ReleaseGil release;
        smooth(how, value.data(), wall.data(), value.size(), out.data());
    }
    return array_of(std::move(out));
}

nb::dict columns_of(const std::vector<RunFacts>& table) {
    nb::list names;
    for (const RunFacts& run : table) names.append(nb::str(run.name.data(), run.name.size()));
    nb::dict out;
    out["name"] = names;
    out["revision"] = column_of(table, &RunFacts::revision);
    out["first_wall_time"] = column_of(table, &RunFacts::first_wall_time);
    out["last_wall_time"] = column_of(table, &RunFacts::last_wall_time);
    out["last_step"] = column_of(table, &RunFacts::last_step);
    out["has_step"] = column_of(table, &RunFacts::has_step);
    out["points"] = column_of(table, &RunFacts::points);
    out["size_bytes"] = column_of(table, &RunFacts::size_bytes);
    out["read_bytes"] = column_of(table, &RunFacts::read_bytes);
    out["damage_count"] = column_of(table, &RunFacts::damage_count);
    out["usual_gap_s"] = column_of(table, &RunFacts::usual_gap_s);
    out["is_own"] = column_of(table, &RunFacts::is_own);
    return out;
}

nb::tuple tags_of(TagTable&& table) {
    nb::list tags;
    for (TagFacts& tag : table.tags) {
        nb::list metadata;
        for (const std::string& bytes : tag.metadata) metadata.append(nb::bytes(bytes.data(), bytes.size()));
        tags.append(
            nb::make_tuple(tag.tag, static_cast<int>(tag.form), tag.plugin, metadata, array_of(std::move(tag.runs))));
    }
    return nb::make_tuple(table.runs, tags);
}

nb::tuple last_scalars(Index& index, const std::vector<std::string>& runs, const std::string& tag) {
    std::vector<uint8_t> states;
    std::vector<int64_t> steps(runs.size());
    std::vector<double> values(runs.size());
    {
        ReleaseGil release;
        for (const ScalarRows& found : index.scalar_rows(runs, tag, XAxis::kStep)) {
            const size_t i = states.size();
            states.push_back(static_cast<uint8_t>(found.state));
            if (found.state != ScalarState::kPlain) continue;
            steps[i] = std::bit_cast<int64_t>(found.rows.column[0][found.rows.size - 1]);
            values[i] = std::bit_cast<double>(found.rows.column[2][found.rows.size - 1]);
        }
    }
    return nb::make_tuple(array_of(std::move(states)), array_of(std::move(steps)), array_of(std::move(values)));
}

}  // namespace

void bind_reduction(nb::module_& m) {
    m.attr("SCALARS_ABSENT") = static_cast<int>(ScalarState::kAbsent);
    m.attr("SCALARS_PLAIN") = static_cast<int>(ScalarState::kPlain);
    m.attr("SCALARS_BRANCHING") = static_cast<int>(ScalarState::kBranching);
    nb::class_<ScalarBatch>(m, "ScalarBatch")
        .def(
            "__init__",
            [](ScalarBatch* self, const std::string& x) {
                new (self) ScalarBatch{from_name<XAxis>(kAxisNames, x, "no such x axis"), {}, {}, {}};
            },
            "x"_a)
        .def("__len__", [](const ScalarBatch& batch) { return batch.series.size(); })
        .def(
            "add_runs",
            [](ScalarBatch& batch, Index& index, const std::vector<std::string>& runs, const std::string& tag) {
                if (batch.x == XAxis::kGiven) throw nb::value_error("What a file holds has no x of its own");
                std::vector<uint8_t> states;
                {
                    ReleaseGil release;
                    states = add_runs(batch, index, runs, tag);
                }
                return array_of(std::move(states));
            },
            "index"_a, "runs"_a, "tag"_a)
        .def("add", &add_arrays, "step"_a, "wall"_a, "value"_a,
             "origin_wall"_a = std::numeric_limits<double>::quiet_NaN(), "x"_a = nb::none())
        .def("reduce", &reduce_batch, nb::kw_only(), "x_range"_a = nb::none(), "is_log_x"_a = false, "buckets"_a,
             "smoothing"_a = "none", "amount"_a = 0.0)
        .def("aggregate", &aggregate_batch, "members"_a, "offsets"_a, nb::kw_only(), "x_range"_a = nb::none(),
             "is_log_x"_a = false, "buckets"_a, "smoothing"_a = "none", "amount"_a = 0.0, "center"_a = "mean",
             "band"_a = "none", "has_neighbours"_a = false);
    m.def("smooth", &smooth_array, "kind"_a, "amount"_a, "value"_a, "wall"_a);
}

void bind_bulk(nb::class_<Index>& index) {
    index
        .def(
            "run_table",
            [](Index& self, const std::string& own_writer) {
                std::vector<RunFacts> table;
                {
                    ReleaseGil release;
                    table = self.run_table(own_writer);
                }
                return columns_of(table);
            },
            "own_writer"_a)
        .def(
            "run_facts",
            [](Index& self, const std::vector<std::string>& runs, const std::string& own_writer) {
                std::vector<RunFacts> table;
                {
                    ReleaseGil release;
                    table = self.run_facts(runs, own_writer);
                }
                return columns_of(table);
            },
            "runs"_a, "own_writer"_a)
        .def(
            "tag_table",
            [](Index& self, const std::string& own_writer) {
                TagTable table;
                {
                    ReleaseGil release;
                    table = self.tag_table(own_writer);
                }
                return tags_of(std::move(table));
            },
            "own_writer"_a)
        .def("last_scalars", &last_scalars, "runs"_a, "tag"_a);
}
