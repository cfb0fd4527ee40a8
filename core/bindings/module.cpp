// Python face of the core: converts, releases the GIL, calls. No logic lives here.
// The typed description is src/sightline/_core.pyi; keep the two together.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "arrow.hpp"
#include "bulk.hpp"
#include "decoded_values.hpp"
#include "histogram.hpp"
#include "histogram_statistics.hpp"
#include "python.hpp"
#include "sightline/crc32c.hpp"
#include "sightline/index.hpp"
#include "sightline/value_reader.hpp"
#include "sink.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace sightline;

namespace {

[[noreturn]] void raise_os_error(const std::string& message) {
    PyErr_SetString(PyExc_OSError, message.c_str());
    throw nb::python_error();
}

struct FileInfo {
    uint32_t id = 0;
    std::string run, path, name;
    bool is_stream = false;
    FileStat stat;
    ReadState state;
    FileFacts facts;
    std::string error;

    // An open damaged place counts as far as it has been searched.
    uint64_t open_damage_bytes() const {
        return state.open_damage == DamageReason::kNone || state.scan <= state.offset ? 0 : state.scan - state.offset;
    }
};

FileInfo info_of(const EventFile& file) {
    FileInfo info;
    info.id = file.id;
    info.run = file.run;
    info.path = file.path;
    info.name = file.name();
    info.is_stream = file.is_stream;
    info.error = file.error();
    file.with_facts([&](const FileContent& c) {
        info.stat = c.stat;
        info.state = c.state;
        info.facts = c.facts;
    });
    return info;
}

double wall_time_or_nan(double wall_time) {
    return wall_time > 0 ? wall_time : std::numeric_limits<double>::quiet_NaN();
}

template <class T>
nb::object column(const SeriesPart& part, size_t i, bool is_present) {
    using Array = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;
    if (!is_present || part.rows.size == 0) {
        static const T nothing{};
        return nb::cast(Array(&nothing, {0}, nb::none()));
    }
    auto* kept = new std::shared_ptr<const Storage>(part.rows.storage);
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<const Storage>*>(p); });
    return nb::cast(Array(reinterpret_cast<const T*>(part.rows.column[i]), {part.rows.size}, owner));
}

nb::bytes read_file(Index& index, uint32_t file_id, uint64_t offset, uint64_t length, uint64_t generation) {
    std::string data;
    std::string error;
    {
        ReleaseGil release;
        error = ValueReader(index).read({file_id, generation, offset, length}, data);
    }
    if (!error.empty()) raise_os_error(error);
    return nb::bytes(data.data(), data.size());
}

void bind_reports(nb::module_& m) {
    nb::class_<SeriesSummary>(m, "SeriesInfo")
        .def_ro("tag", &SeriesSummary::tag)
        .def_prop_ro("form", [](const SeriesSummary& s) { return static_cast<int>(s.form); })
        .def_ro("count", &SeriesSummary::count)
        .def_ro("plugin", &SeriesSummary::plugin)
        .def_prop_ro("metadata",
                     [](const SeriesSummary& s) { return nb::bytes(s.metadata.data(), s.metadata.size()); });

    nb::class_<SeriesPart>(m, "Part")
        .def_ro("file_id", &SeriesPart::file_id)
        .def_ro("generation", &SeriesPart::generation)
        .def_prop_ro("step", [](const SeriesPart& p) { return column<int64_t>(p, 0, true); })
        .def_prop_ro("wall_time", [](const SeriesPart& p) { return column<double>(p, 1, true); })
        .def_prop_ro("value", [](const SeriesPart& p) { return column<double>(p, 2, p.form == Form::kScalar); })
        .def_prop_ro("offset", [](const SeriesPart& p) { return column<uint64_t>(p, 2, p.form != Form::kScalar); })
        .def_prop_ro("length", [](const SeriesPart& p) { return column<uint64_t>(p, 3, p.form != Form::kScalar); })
        .def_prop_ro("breaks", [](const SeriesPart& p) {
            std::vector<std::tuple<uint64_t, int64_t, double>> out;
            for (const Break& b : p.breaks) out.emplace_back(b.row, b.start_step, b.start_wall_time);
            return out;
        });

    nb::class_<FileInfo>(m, "FileInfo")
        .def_ro("id", &FileInfo::id)
        .def_ro("run", &FileInfo::run)
        .def_prop_ro("path", [](const FileInfo& f) { return path_to_python(f.path); })
        .def_prop_ro("name", [](const FileInfo& f) { return path_to_python(f.name); })
        .def_ro("is_stream", &FileInfo::is_stream)
        .def_prop_ro("size_bytes", [](const FileInfo& f) { return f.stat.size; })
        .def_prop_ro("read_bytes", [](const FileInfo& f) { return f.state.offset; })
        .def_prop_ro("record_count", [](const FileInfo& f) { return f.facts.record_count; })
        .def_prop_ro("first_wall_time", [](const FileInfo& f) { return wall_time_or_nan(f.facts.begin_wall_time()); })
        .def_prop_ro("last_wall_time", [](const FileInfo& f) { return wall_time_or_nan(f.facts.end_wall_time()); })
        .def_prop_ro("starts",
                     [](const FileInfo& f) {
                         std::vector<std::tuple<int64_t, double>> out;
                         for (const SessionStart& s : f.facts.starts) out.emplace_back(s.step, s.wall_time);
                         return out;
                     })
        .def_prop_ro("file_version", [](const FileInfo& f) { return printable_utf8(f.facts.file_version); })
        .def_prop_ro("source_writer", [](const FileInfo& f) { return printable_utf8(f.facts.source_writer); })
        .def_prop_ro("damage",
                     [](const FileInfo& f) {
                         std::vector<std::tuple<uint64_t, uint64_t, std::string>> out;
                         for (const Damage& d : f.facts.damage)
                             out.emplace_back(d.offset, d.length, damage_text(d.reason));
                         if (f.open_damage_bytes() > 0 && out.size() < Batch::kMaxDamage)
                             out.emplace_back(f.state.offset, f.open_damage_bytes(), damage_text(f.state.open_damage));
                         return out;
                     })
        .def_prop_ro("damage_count",
                     [](const FileInfo& f) { return f.facts.damage_count + (f.open_damage_bytes() > 0); })
        .def_prop_ro("skipped_bytes", [](const FileInfo& f) { return f.facts.skipped_bytes + f.open_damage_bytes(); })
        .def_prop_ro("torn_bytes",
                     [](const FileInfo& f) {
                         const uint64_t seen = f.state.offset + f.open_damage_bytes();
                         return f.stat.size > seen ? f.stat.size - seen : 0;
                     })
        .def_ro("error", &FileInfo::error);

    nb::class_<Progress>(m, "Progress")
        .def_ro("files_total", &Progress::files_total)
        .def_ro("files_done", &Progress::files_done)
        .def_ro("bytes_total", &Progress::bytes_total)
        .def_ro("bytes_done", &Progress::bytes_done)
        .def_ro("is_walking", &Progress::is_walking);

    nb::class_<RunChange>(m, "Change")
        .def_ro("run", &RunChange::run)
        .def_ro("is_removed", &RunChange::is_removed)
        .def_ro("is_reset", &RunChange::is_reset)
        .def_ro("has_new_series", &RunChange::has_new_series)
        .def_ro("tags", &RunChange::tags);
}

void bind_index(nb::module_& m) {
    using Release = nb::call_guard<ReleaseGil>;
    nb::class_<Index> index_class(m, "Index");
    bind_bulk(index_class);
    bind_decoded_values(index_class);
    index_class.def(nb::init<unsigned>(), "threads"_a = 0)
        .def(
            "add_root",
            [](Index& index, nb::handle path, std::string prefix, std::vector<std::string> include,
               std::vector<std::string> exclude) {
                Root root{path_from_python(path), std::move(prefix), std::move(include), std::move(exclude)};
                ReleaseGil release;
                return index.add_root(std::move(root));
            },
            "path"_a, "prefix"_a = "", "include"_a = nb::tuple(), "exclude"_a = nb::tuple())
        .def("scan", &Index::scan, Release())
        .def(
            "refresh",
            [](Index& index, nb::sequence paths) {
                std::vector<std::string> native;
                for (const nb::handle path : paths) native.push_back(path_from_python(path));
                ReleaseGil release;
                index.refresh(native);
            },
            "paths"_a)
        .def("stop", &Index::stop)
        .def("progress", &Index::progress)
        .def("take_changes", &Index::take_changes, Release())
        .def("watch_changes", &Index::watch_changes, "enabled"_a)
        .def("run_names", &Index::run_names, Release())
        .def(
            "run_directories",
            [](Index& index, const std::string& run) {
                std::vector<std::string> paths;
                {
                    ReleaseGil release;
                    paths = index.run_directories(run);
                }
                nb::list out;
                for (const std::string& path : paths) out.append(path_to_python(path));
                return out;
            },
            "run"_a)
        .def(
            "files",
            [](Index& index, const std::string& run) {
                std::vector<FileInfo> out;
                for (const auto& file : index.files(run)) out.push_back(info_of(*file));
                return out;
            },
            "run"_a, Release())
        .def("series", &Index::series, "run"_a, Release())
        .def(
            "parts",
            [](Index& index, const std::string& run, const std::string& tag, unsigned form) {
                if (form >= kFormCount) throw nb::value_error("no such form");
                return index.parts(run, tag, static_cast<Form>(form));
            },
            "run"_a, "tag"_a, "form"_a, Release())
        .def("revision", &Index::revision, "run"_a, Release())
        .def("read", &read_file, "file_id"_a, "offset"_a, "length"_a, "generation"_a)
        .def(
            "generation",
            [](Index& index, uint32_t file_id) -> uint64_t {
                const auto file = index.file(file_id);
                return file == nullptr ? 0 : file->generation();
            },
            "file_id"_a, Release())
        .def("walk_errors", &Index::walk_errors, Release())
        .def(
            "add_stream",
            [](Index& index, const std::string& run, nb::handle path) {
                const std::string native = path_from_python(path);
                ReleaseGil release;
                return index.add_stream(run, native);
            },
            "run"_a, "path"_a)
        .def(
            "feed",
            [](Index& index, uint32_t file_id, const nb::bytes& data) {
                const std::string_view view(data.c_str(), data.size());
                ReleaseGil release;
                return index.feed(file_id, view);
            },
            "file_id"_a, "data"_a)
        .def("set_stream_size", &Index::set_stream_size, "file_id"_a, "size_bytes"_a, "identity"_a, Release())
        .def("remove_stream", &Index::remove_stream, "file_id"_a, Release())
        .def(
            "load_cache",
            [](Index& index, nb::handle directory) {
                const std::string native = path_from_python(directory);
                ReleaseGil release;
                return index.load_cache(native);
            },
            "directory"_a)
        .def(
            "save_cache",
            [](Index& index, nb::handle directory) {
                const std::string native = path_from_python(directory);
                std::string error;
                uint64_t written = 0;
                {
                    ReleaseGil release;
                    try {
                        written = index.save_cache(native);
                    } catch (const std::exception& e) {
                        error = e.what();
                    }
                }
                if (!error.empty()) raise_os_error(error);
                return written;
            },
            "directory"_a);
}

}  // namespace

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false);  // a thread that is reading when Python exits keeps its objects: that is no leak
    for (size_t i = 0; i < kFormCount; ++i) {
        std::string name = "FORM_";
        for (const char* c = kFormNames[i]; *c != 0; ++c)
            name.push_back(static_cast<char>(*c == '_' ? '_' : *c - 'a' + 'A'));
        m.attr(name.c_str()) = static_cast<int>(i);
    }
    nb::list names;
    for (const char* name : kFormNames) names.append(name);
    m.attr("FORM_NAMES") = nb::tuple(names);
    m.def("crc32c", [](const nb::bytes& data) { return crc32c(data.c_str(), data.size()); }, "data"_a);
    m.def("masked_crc32c", [](const nb::bytes& data) { return mask_crc(crc32c(data.c_str(), data.size())); }, "data"_a);
    m.def("crc32c_implementation", &crc32c_implementation);
    bind_reports(m);
    bind_index(m);
    bind_reduction(m);
    bind_arrow(m);
    bind_histogram(m);
    bind_histogram_statistics(m);
    bind_sink(m);
}
