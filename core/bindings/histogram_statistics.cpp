// Statistics and maps of many logged histograms.
#include "histogram_statistics.hpp"

#include <numeric>

#include "arrays.hpp"
#include "python.hpp"
#include "sightline/histogram_statistics.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace sightline;

namespace {

BucketColumns columns_of(const Column<uint32_t>& size, const Column<double>& left, const Column<double>& right,
                         const Column<double>& counts) {
    const uint64_t together = std::accumulate(size.data(), size.data() + size.size(), uint64_t{0});
    if (left.size() != together || right.size() != together || counts.size() != together)
        throw nb::value_error("The columns of buckets have as many elements as all sizes together");
    return {size.data(), size.size(), left.data(), right.data(), counts.data(), left.size()};
}

nb::object statistics(const Column<uint32_t>& size, const Column<double>& left, const Column<double>& right,
                      const Column<double>& counts) {
    const BucketColumns columns = columns_of(size, left, right, counts);
    std::vector<double> rows;
    {
        ReleaseGil release;
        for (const HistogramStatistics& one : histogram_statistics(columns)) {
            rows.insert(rows.end(), {one.count, one.min, one.max, one.mean, one.std, one.zeros});
            rows.insert(rows.end(), one.quantiles.begin(), one.quantiles.end());
        }
    }
    return array_of(std::move(rows));
}

nb::object map(const Column<uint32_t>& size, const Column<double>& left, const Column<double>& right,
               const Column<double>& counts, const Column<double>& edges) {
    const BucketColumns columns = columns_of(size, left, right, counts);
    const std::vector<double> own(edges.data(), edges.data() + edges.size());  // stay as they are checked
    if (own.size() < 2) throw nb::value_error("A map needs two edges or more");
    for (size_t i = 0; i + 1 < own.size(); ++i)
        if (!(own[i] < own[i + 1])) throw nb::value_error("The edges of a map must ascend");
    std::vector<float> places;
    {
        ReleaseGil release;
        places = histogram_map(columns, own);
    }
    return array_of(std::move(places));
}

}  // namespace

void bind_histogram_statistics(nb::module_& m) {
    m.def("histogram_statistics", statistics, "size"_a, "left"_a, "right"_a, "counts"_a);
    m.def("histogram_map", map, "size"_a, "left"_a, "right"_a, "counts"_a, "edges"_a);
}
