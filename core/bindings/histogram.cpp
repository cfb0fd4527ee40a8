#include "histogram.hpp"

#include <limits>

#include "python.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace sightline;

namespace {

template <class Count>
HistogramCounts count_without_gil(const NumberArray& data, Count count) {
    const DType dtype = dtype_from_python(data);
    ReleaseGil release;
    return count(dtype, data.data(), data.size());
}

nb::object array_of(const nb::object& owner, const std::vector<double>& values) {
    return nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<1>>(values.data(), {values.size()}, owner));
}

}  // namespace

DType dtype_from_python(const NumberArray& array) {
    const nb::dlpack::dtype dtype = array.dtype();
    const auto pick = [&](uint8_t code, uint8_t bits) {
        return dtype.code == code && dtype.bits == bits && dtype.lanes == 1;
    };
    constexpr auto kInt = static_cast<uint8_t>(nb::dlpack::dtype_code::Int);
    constexpr auto kUint = static_cast<uint8_t>(nb::dlpack::dtype_code::UInt);
    constexpr auto kFloat = static_cast<uint8_t>(nb::dlpack::dtype_code::Float);
    if (pick(kFloat, 32)) return DType::kFloat32;
    if (pick(kFloat, 64)) return DType::kFloat64;
    if (pick(kFloat, 16)) return DType::kFloat16;
    if (pick(static_cast<uint8_t>(nb::dlpack::dtype_code::Bfloat), 16)) return DType::kBfloat16;
    if (pick(static_cast<uint8_t>(nb::dlpack::dtype_code::Bool), 8)) return DType::kBool;
    if (pick(kInt, 8)) return DType::kInt8;
    if (pick(kInt, 16)) return DType::kInt16;
    if (pick(kInt, 32)) return DType::kInt32;
    if (pick(kInt, 64)) return DType::kInt64;
    if (pick(kUint, 8)) return DType::kUint8;
    if (pick(kUint, 16)) return DType::kUint16;
    if (pick(kUint, 32)) return DType::kUint32;
    if (pick(kUint, 64)) return DType::kUint64;
    throw nb::type_error("A histogram counts real numbers of at most 64 bits");
}

void bind_histogram(nb::module_& m) {
    nb::class_<HistogramCounts>(m, "HistogramCounts")
        .def_prop_ro("edges",
                     [](nb::handle_t<HistogramCounts> self) {
                         return array_of(nb::borrow(self), nb::cast<const HistogramCounts&>(self).edges);
                     })
        .def_prop_ro("counts",
                     [](nb::handle_t<HistogramCounts> self) {
                         return array_of(nb::borrow(self), nb::cast<const HistogramCounts&>(self).counts);
                     })
        .def_ro("min", &HistogramCounts::min)
        .def_ro("max", &HistogramCounts::max)
        .def_ro("num", &HistogramCounts::num)
        .def_ro("sum", &HistogramCounts::sum)
        .def_ro("sum_squares", &HistogramCounts::sum_squares)
        .def_ro("nan_count", &HistogramCounts::nan_count)
        .def_ro("inf_count", &HistogramCounts::inf_count);

    m.def(
        "count_geometric", [](const NumberArray& data) { return count_without_gil(data, count_geometric); }, "data"_a);
    m.def(
        "count_uniform",
        [](const NumberArray& data, size_t buckets) {
            if (buckets > std::numeric_limits<int32_t>::max())
                throw nb::value_error("A histogram has fewer than 2**31 buckets");
            return count_without_gil(data, [&](DType dtype, const void* elements, size_t count) {
                return count_uniform(dtype, elements, count, buckets);
            });
        },
        "data"_a, "buckets"_a);
    m.def(
        "count_into",
        [](const NumberArray& data,
           const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& edges) {
            const std::vector<double> own(edges.data(), edges.data() + edges.size());  // stay as they are checked
            if (own.size() < 2) throw nb::value_error("A histogram needs two edges or more");
            for (size_t i = 0; i + 1 < own.size(); ++i)
                if (!(own[i] <= own[i + 1])) throw nb::value_error("The edges of a histogram must ascend");
            return count_without_gil(data, [&](DType dtype, const void* elements, size_t count) {
                return count_into(dtype, elements, count, own.data(), own.size());
            });
        },
        "data"_a, "edges"_a);
}
