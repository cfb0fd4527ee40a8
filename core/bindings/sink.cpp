// Python face of the sink. The two methods that a training loop calls a hundred times a step take their arguments as
// CPython hands them over; everything else goes through nanobind.
#include "sightline/sink.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "histogram.hpp"
#include "python.hpp"
#include "sightline/record.hpp"
#include "sink.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace sightline;

namespace {

// Arrays from this size on are copied without the GIL; below, letting go of it costs more than the copy.
constexpr size_t kLargeCopyBytes = 256 << 10;

// More would be no histogram, and memory that nobody counts.
constexpr size_t kMaxBuckets = 1'000'000;

// -- arguments. Each returns false with a Python error set.

// The type only: what a tensor looks like takes longer to print than to log.
bool refuse(const char* what, PyObject* given) {
    PyErr_Format(PyExc_TypeError, "%s, not %.100s", what, Py_TYPE(given)->tp_name);
    return false;
}

// The bytes of a tag. `spare` holds them when the tag does not have them itself: half of a surrogate pair is no text.
bool read_tag(PyObject* tag, std::string_view& out, nb::object& spare) {
    if (!PyUnicode_Check(tag)) return refuse("A tag is text", tag);
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(tag, &size);
    if (text == nullptr) {
        PyErr_Clear();
        spare = nb::steal(PyUnicode_AsEncodedString(tag, "utf-8", "replace"));
        if (!spare.is_valid()) return false;
        text = PyBytes_AS_STRING(spare.ptr());
        size = PyBytes_GET_SIZE(spare.ptr());
    }
    out = {text, static_cast<size_t>(size)};
    return true;
}

// NumPy's numbers by type, without linking to NumPy: it is loaded if one of them is here.
bool is_numpy_number(PyTypeObject* type) {
    static PyTypeObject* last_seen = nullptr;  // a loop logs numbers of one type
    if (type == last_seen) return true;
    if (std::strncmp(type->tp_name, "numpy.", 6) != 0) return false;
    try {
        const nb::module_ numpy = nb::module_::import_("numpy");
        const auto is_a = [&](const char* name) {
            const nb::object base = numpy.attr(name);
            return PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(base.ptr())) != 0;
        };
        if (!is_a("bool_") && (!is_a("number") || is_a("complexfloating"))) return false;
    } catch (nb::python_error& error) {
        error.discard_as_unraisable("sightline");
        return false;
    }
    last_seen = type;
    return true;
}

bool read_integer(PyObject* value, double& out) {
    out = PyLong_AsDouble(value);
    if (out != -1.0 || PyErr_Occurred() == nullptr) return true;
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) return false;
    PyErr_Clear();
    int sign = 0;
    PyLong_AsLongLongAndOverflow(value, &sign);
    out = sign < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return true;
}

bool read_number(PyObject* value, float& out) {
    double number = 0;
    if (PyFloat_Check(value)) {  // also numpy.float64
        number = PyFloat_AS_DOUBLE(value);
    } else if (PyLong_Check(value)) {  // also bool
        if (!read_integer(value, number)) return false;
    } else if (is_numpy_number(Py_TYPE(value))) {
        number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred() != nullptr) return false;
    } else {
        return refuse("A value is a number", value);
    }
    out = static_cast<float>(number);  // out of range: infinite, by IEEE 754
    return true;
}

bool read_step(PyObject* step, int64_t& out) {
    if (step == Py_None) {
        out = 0;
        return true;
    }
    nb::object index;
    if (!PyLong_Check(step)) {
        if (PyIndex_Check(step) == 0) return refuse("A step is a whole number", step);
        index = nb::steal(PyNumber_Index(step));
        if (!index.is_valid()) return false;
        step = index.ptr();
    }
    int overflow = 0;
    out = PyLong_AsLongLongAndOverflow(step, &overflow);
    if (overflow != 0) {
        PyErr_Format(PyExc_TypeError, "A step has 64 bits; %R does not fit", step);
        return false;
    }
    return out != -1 || PyErr_Occurred() == nullptr;
}

bool read_wall_time(PyObject* wall_time, double& out) {
    if (wall_time == Py_None) {
        out = wall_time_now();
        return true;
    }
    out = PyFloat_AsDouble(wall_time);
    return out != -1.0 || PyErr_Occurred() == nullptr;
}

// -- the quick methods

Sink* sink_of(PyObject* self) {
    if (nb::inst_ready(self)) [[likely]]
        return nb::inst_ptr<Sink>(self);
    PyErr_SetString(PyExc_RuntimeError, "this sink was never opened");
    return nullptr;
}

// Does something that may wait, without the GIL. Ctrl+C ends the waiting; the error is then raised.
template <class Wait>
auto wait_without_gil(Wait&& wait) {
    Interrupt is_interrupted;
    if (!is_shutting_down()) {
        is_interrupted = [] {
            const AcquireGil acquire;
            return PyErr_CheckSignals() != 0;
        };
    }
    const auto result = [&] {
        ReleaseGil release;
        return wait(is_interrupted);
    }();
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return result;
}

void wait_for_room(Sink& sink, size_t size_bytes) {
    wait_without_gil([&](const Interrupt& is_interrupted) {
        sink.wait_for_room(size_bytes, is_interrupted);
        return true;
    });
}

// Tries until it is taken or dropped. True: there is something to say.
template <class Add>
bool add_patiently(Sink& sink, size_t size_bytes, Add&& add) {
    for (;;) {
        const Added added = add();
        if (added != Added::kFull) [[likely]]
            return added == Added::kWithNotices;
        wait_for_room(sink, size_bytes);
    }
}

PyObject* add_values(Sink& sink, const ScalarValue* values, size_t count, int64_t step, double wall_time) {
    size_t size_bytes = 0;
    for (size_t i = 0; i < count; ++i) size_bytes += 32 + values[i].tag.size();
    try {
        const bool has_notices =
            add_patiently(sink, size_bytes, [&] { return sink.add_scalars(values, count, step, wall_time); });
        return PyBool_FromLong(has_notices);
    } catch (nb::python_error& error) {
        error.restore();
        return nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

PyObject* add_scalar(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4) {
        PyErr_Format(PyExc_TypeError, "add_scalar takes tag, value, step and wall_time (%zd given)", count);
        return nullptr;
    }
    ScalarValue value;
    nb::object spare;
    int64_t step;
    double wall_time;
    if (!read_tag(arguments[0], value.tag, spare) || !read_number(arguments[1], value.value) ||
        !read_step(arguments[2], step) || !read_wall_time(arguments[3], wall_time))
        return nullptr;
    Sink* sink = sink_of(self);
    return sink == nullptr ? nullptr : add_values(*sink, &value, 1, step, wall_time);
}

PyObject* add_scalars(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 3 || !PyDict_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "add_scalars takes a dict of tags and numbers, step and wall_time");
        return nullptr;
    }
    const nb::object values = nb::borrow(arguments[0]);
    int64_t step;
    double wall_time;
    if (!read_step(arguments[1], step) || !read_wall_time(arguments[2], wall_time)) return nullptr;
    try {
        std::vector<ScalarValue> taken;
        std::vector<nb::object> kept;  // tags and what stands for them, should somebody change the dict meanwhile
        taken.reserve(static_cast<size_t>(PyDict_GET_SIZE(values.ptr())));
        kept.reserve(taken.capacity());
        Py_ssize_t place = 0;
        PyObject* key;
        PyObject* number;
        while (PyDict_Next(values.ptr(), &place, &key, &number)) {
            kept.push_back(nb::borrow(key));
            const nb::object owned = nb::borrow(number);
            ScalarValue value;
            nb::object spare;
            if (!read_tag(key, value.tag, spare) || !read_number(number, value.value)) return nullptr;
            if (spare.is_valid()) kept.push_back(std::move(spare));
            taken.push_back(value);
        }
        Sink* sink = sink_of(self);
        if (sink != nullptr && taken.empty()) Py_RETURN_FALSE;  // an event without values says nothing
        return sink == nullptr ? nullptr : add_values(*sink, taken.data(), taken.size(), step, wall_time);
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

PyMethodDef quick_methods[] = {
    {"add_scalar", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&add_scalar)), METH_FASTCALL, nullptr},
    {"add_scalars", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&add_scalars)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot quick_slots[] = {{Py_tp_methods, quick_methods}, {0, nullptr}};

// -- the others

void copy(void* to, const void* from, size_t size) {
    if (size < kLargeCopyBytes) {
        if (size > 0) std::memcpy(to, from, size);
    } else {
        ReleaseGil release;
        std::memcpy(to, from, size);
    }
}

bool add_event(Sink& sink, const nb::bytes& event) {
    const size_t size = event.size();
    if (size > kMaxRecordBytes) throw nb::value_error("An event has at most 2 GiB; no reader takes more");
    return add_patiently(sink, size + 64, [&] {
        if (size < kLargeCopyBytes) return sink.add_event(event.c_str(), size);
        ReleaseGil release;
        return sink.add_event(event.c_str(), size);
    });
}

bool add_histogram(Sink& sink, nb::handle tag, const NumberArray& data, nb::handle step, nb::handle wall_time,
                   int style, size_t max_bins, size_t buckets, const nb::bytes& metadata) {
    std::string_view tag_text;
    nb::object spare;
    int64_t step_number;
    double seconds;
    if (!read_tag(tag.ptr(), tag_text, spare) || !read_step(step.ptr(), step_number) ||
        !read_wall_time(wall_time.ptr(), seconds))
        throw nb::python_error();
    if (style != static_cast<int>(HistogramStyle::kGeometric) && style != static_cast<int>(HistogramStyle::kUniform))
        throw nb::value_error("no such style of histogram");
    if (buckets < 1 || buckets > kMaxBuckets) throw nb::value_error("A histogram has 1 to 1,000,000 buckets");
    HistogramItem item;
    item.tag = tag_text;
    item.metadata.assign(metadata.c_str(), metadata.size());
    item.style = static_cast<HistogramStyle>(style);
    item.dtype = dtype_from_python(data);
    item.max_bins = max_bins;
    item.buckets = buckets;
    item.count = data.size();

    const size_t size = item.charged_bytes();
    // Room comes first: a copy that finds none would lie in memory that nobody counts.
    Added added = sink.probe(size);
    for (; added == Added::kFull; added = sink.probe(size)) wait_for_room(sink, size);
    if (added != Added::kRoom) return added == Added::kWithNotices;
    item.data.reset(new uint8_t[item.size_bytes()]);
    copy(item.data.get(), data.data(), item.size_bytes());
    return add_patiently(sink, size, [&] { return sink.add_histogram(item, step_number, seconds); });
}

void open_sink(Sink* self, nb::handle directory, nb::handle hostname, nb::handle suffix, double flush_secs,
               size_t max_pending_bytes, nb::handle purge_step) {
    SinkOptions options;
    options.directory = path_from_python(directory);
    options.hostname = path_from_python(hostname);
    options.suffix = path_from_python(suffix);
    options.flush_secs = flush_secs;
    options.max_pending_bytes = max_pending_bytes;
    if (options.suffix.find('/') != std::string::npos)
        throw nb::value_error("The suffix is the end of a file name and cannot contain \"/\"");
    if (std::isnan(flush_secs)) throw nb::value_error("flush_secs is a number of seconds");
    if (!purge_step.is_none()) {
        int64_t step;
        if (!read_step(purge_step.ptr(), step)) throw nb::python_error();
        options.purge_step = step;
    }
    SinkError error{0, {}};
    {
        ReleaseGil release;
        try {
            new (self) Sink(std::move(options));
        } catch (const SinkError& thrown) {
            error = thrown;
        }
    }
    if (error.code == 0) return;
    errno = error.code;
    PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path_to_python(error.path).ptr());
    throw nb::python_error();
}

nb::object text_to_python(const std::string& text) {
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::list take_notices(Sink& sink) {
    nb::list out;
    for (const SinkNotice& notice : sink.take_notices())
        out.append(nb::make_tuple(notice.level, text_to_python(notice.text)));
    return out;
}

}  // namespace

void bind_sink(nb::module_& m) {
    m.attr("HISTOGRAM_GEOMETRIC") = static_cast<int>(HistogramStyle::kGeometric);
    m.attr("HISTOGRAM_UNIFORM") = static_cast<int>(HistogramStyle::kUniform);
    nb::class_<Sink>(m, "Sink", nb::type_slots(quick_slots))
        .def("__init__", &open_sink, "directory"_a, nb::kw_only(), "hostname"_a, "suffix"_a = "", "flush_secs"_a = 1.0,
             "max_pending_bytes"_a = size_t{64} << 20, "purge_step"_a = nb::none())
        .def("add_event", &add_event, "event"_a)
        .def("add_histogram", &add_histogram, "tag"_a, "data"_a, "step"_a, "wall_time"_a, "style"_a, nb::kw_only(),
             "max_bins"_a = 0, "buckets"_a = 30, "metadata"_a = nb::bytes("", 0))
        .def("flush",
             [](Sink& sink) {
                 return wait_without_gil([&](const Interrupt& is_interrupted) { return sink.flush(is_interrupted); });
             })
        .def("close",
             [](Sink& sink) {
                 return wait_without_gil([&](const Interrupt& is_interrupted) { return sink.close(is_interrupted); });
             })
        .def("take_notices", &take_notices)
        .def_prop_ro("path", [](Sink& sink) { return path_to_python(sink.path()); })
        .def_prop_ro("is_open", &Sink::is_open)
        .def_prop_ro("problem", [](Sink& sink) { return text_to_python(sink.problem()); })
        .def_prop_ro("pending_bytes", &Sink::pending_bytes)
        .def_prop_ro("lost_events", &Sink::lost_events)
        .def_prop_ro("last_step", &Sink::last_step);
}
