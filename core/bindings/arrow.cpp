#include "arrow.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

// The three structs of the Arrow C data interface; their layout is the interface.
extern "C" {
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace {

using Steps = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Distinct strings, in the layout of an Arrow utf8 array.
struct Dictionary {
    std::vector<int32_t> offsets{0};
    std::string bytes;
    std::unordered_map<std::string, int32_t> numbers;

    int32_t number(const std::string& text) {
        const auto [at, is_new] = numbers.try_emplace(text, static_cast<int32_t>(numbers.size()));
        if (is_new) {
            if (bytes.size() + text.size() > INT32_MAX) throw nb::value_error("the names of runs or tags exceed 2 GiB");
            bytes += text;
            offsets.push_back(static_cast<int32_t>(bytes.size()));
        }
        return at->second;
    }
};

struct Series {
    int32_t run = 0;
    int32_t tag = 0;
    size_t size = 0;
    const int64_t* step = nullptr;
    const double* wall_time = nullptr;
    const double* value = nullptr;
};

// What all batches of a stream share: the dictionaries, and the arrays the columns lie in.
struct Table {
    Dictionary runs;
    Dictionary tags;
    std::vector<Series> series;
    std::vector<Steps> steps;
    std::vector<Numbers> numbers;

    Table() = default;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table() {
        if (!Py_IsInitialized()) {  // too late to give anything back to Python
            for (auto& a : steps) new Steps(std::move(a));
            for (auto& a : numbers) new Numbers(std::move(a));
            return;
        }
        nb::gil_scoped_acquire acquire;
        steps.clear();
        numbers.clear();
    }
};

struct ColumnSpec {
    const char* name;
    const char* format;
    bool is_dictionary;
};
constexpr std::array<ColumnSpec, 5> kColumns = {
    {{"run", "i", true}, {"tag", "i", true}, {"step", "l", false}, {"wall_time", "g", false}, {"value", "g", false}}};

// ---------------------------------------------------------------- schema

void release_schema(ArrowSchema* schema) {
    for (int64_t i = 0; i < schema->n_children; ++i) {
        if (schema->children[i]->release != nullptr) schema->children[i]->release(schema->children[i]);
        delete schema->children[i];
    }
    delete[] schema->children;
    if (schema->dictionary != nullptr) {
        if (schema->dictionary->release != nullptr) schema->dictionary->release(schema->dictionary);
        delete schema->dictionary;
    }
    schema->release = nullptr;
}

void make_schema(ArrowSchema* out, const char* format, const char* name) {
    *out = {};
    out->format = format;
    out->name = name;
    out->release = release_schema;
}

void fill_schema(ArrowSchema* out) {
    make_schema(out, "+s", "");
    out->n_children = kColumns.size();
    out->children = new ArrowSchema*[kColumns.size()];
    for (size_t i = 0; i < kColumns.size(); ++i) {
        out->children[i] = new ArrowSchema;
        make_schema(out->children[i], kColumns[i].format, kColumns[i].name);
        if (!kColumns[i].is_dictionary) continue;
        out->children[i]->dictionary = new ArrowSchema;
        make_schema(out->children[i]->dictionary, "u", "");
    }
}

// Called from C: nothing may be thrown through these two. What was begun when memory ran out is left behind.
int get_schema(ArrowArrayStream*, ArrowSchema* out) {
    try {
        fill_schema(out);
        return 0;
    } catch (const std::exception&) {
        *out = {};
        return ENOMEM;
    }
}

// ---------------------------------------------------------------- arrays

// Every array, child or not, may outlive the others: each keeps the table alive by itself.
struct ArrayState {
    std::shared_ptr<Table> table;
    std::array<const void*, 3> buffers{};
    std::vector<int32_t> indices;
};

void release_array(ArrowArray* array) {
    for (int64_t i = 0; i < array->n_children; ++i) {
        if (array->children[i]->release != nullptr) array->children[i]->release(array->children[i]);
        delete array->children[i];
    }
    delete[] array->children;
    if (array->dictionary != nullptr) {
        if (array->dictionary->release != nullptr) array->dictionary->release(array->dictionary);
        delete array->dictionary;
    }
    delete static_cast<ArrayState*>(array->private_data);
    array->release = nullptr;
}

ArrayState& make_array(ArrowArray* out, const std::shared_ptr<Table>& table, size_t length, int64_t buffers) {
    auto* state = new ArrayState{table, {}, {}};
    *out = {};
    out->length = static_cast<int64_t>(length);
    out->n_buffers = buffers;
    out->buffers = state->buffers.data();
    out->release = release_array;
    out->private_data = state;
    return *state;
}

void make_dictionary_column(ArrowArray* out, const std::shared_ptr<Table>& table, const Dictionary& dictionary,
                            int32_t number, size_t length) {
    ArrayState& state = make_array(out, table, length, 2);
    state.indices.assign(length, number);
    state.buffers[1] = state.indices.data();
    out->dictionary = new ArrowArray;
    ArrayState& words = make_array(out->dictionary, table, dictionary.offsets.size() - 1, 3);
    words.buffers[1] = dictionary.offsets.data();
    words.buffers[2] = dictionary.bytes.data();
}

struct StreamState {
    std::shared_ptr<Table> table;
    size_t next = 0;
};

void fill_next(ArrowArrayStream* stream, ArrowArray* out) {
    auto& state = *static_cast<StreamState*>(stream->private_data);
    if (state.next == state.table->series.size()) {
        *out = {};  // the end: an array that is already released
        return;
    }
    const Series& s = state.table->series[state.next++];
    make_array(out, state.table, s.size, 1);
    out->n_children = kColumns.size();
    out->children = new ArrowArray*[kColumns.size()];
    for (size_t i = 0; i < kColumns.size(); ++i) out->children[i] = new ArrowArray;
    make_dictionary_column(out->children[0], state.table, state.table->runs, s.run, s.size);
    make_dictionary_column(out->children[1], state.table, state.table->tags, s.tag, s.size);
    make_array(out->children[2], state.table, s.size, 2).buffers[1] = s.step;
    make_array(out->children[3], state.table, s.size, 2).buffers[1] = s.wall_time;
    make_array(out->children[4], state.table, s.size, 2).buffers[1] = s.value;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    try {
        fill_next(stream, out);
        return 0;
    } catch (const std::exception&) {
        *out = {};
        return ENOMEM;
    }
}

const char* get_last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
    delete static_cast<StreamState*>(stream->private_data);
    stream->release = nullptr;
}

void release_capsule(PyObject* capsule) {
    auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (stream->release != nullptr) stream->release(stream);
    delete stream;
}

nb::object arrow_stream(const std::vector<std::string>& runs, const std::vector<std::string>& tags,
                        std::vector<Steps> steps, const std::vector<Numbers>& wall_times,
                        const std::vector<Numbers>& values) {
    const size_t n = runs.size();
    if (tags.size() != n || steps.size() != n || wall_times.size() != n || values.size() != n)
        throw nb::value_error("runs, tags, steps, wall_times and values must be of the same length");
    auto table = std::make_shared<Table>();
    for (size_t i = 0; i < n; ++i) {
        const size_t size = steps[i].shape(0);
        if (wall_times[i].shape(0) != size || values[i].shape(0) != size)
            throw nb::value_error("the columns of a series must be of the same length");
        table->series.push_back({table->runs.number(runs[i]), table->tags.number(tags[i]), size, steps[i].data(),
                                 wall_times[i].data(), values[i].data()});
        table->numbers.push_back(wall_times[i]);
        table->numbers.push_back(values[i]);
    }
    table->steps = std::move(steps);
    auto* stream = new ArrowArrayStream{get_schema, get_next, get_last_error, release_stream,
                                        new StreamState{std::move(table), 0}};
    return nb::steal(PyCapsule_New(stream, "arrow_array_stream", release_capsule));
}

}  // namespace

void bind_arrow(nb::module_& m) {
    m.def("arrow_stream", &arrow_stream, "runs"_a, "tags"_a, "steps"_a, "wall_times"_a, "values"_a);
}
