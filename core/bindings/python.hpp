// What every binding needs of Python: paths, and doing without the GIL for a while.
#pragma once

#include <nanobind/nanobind.h>

#include <unistd.h>

#include <string>

// Paths are bytes to the system and str to Python; os.fsencode / os.fsdecode lie between.
inline nanobind::object path_to_python(const std::string& path) {
    return nanobind::steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
}

inline std::string path_from_python(nanobind::handle path) {
    PyObject* bytes = nullptr;
    if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw nanobind::python_error();
    const nanobind::object owned = nanobind::steal(bytes);
    return {PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes))};
}

inline bool is_shutting_down() {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

// Takes the GIL on a thread that let go of it. While Python is shutting down there is none to take: Python ends such a
// thread by unwinding it, through frames that must not be unwound. It stays here for ever instead. Also when the end
// begins while the thread is waiting: the unwinding then arrives as an exception, and the handler never returns.
template <class Take>
void take_gil(Take&& take) noexcept {
    while (is_shutting_down()) pause();
    try {
        take();
    } catch (...) {
        for (;;) pause();
    }
}

// Releases the GIL for the length of a scope. Unlike nanobind's own it survives the end of Python; see take_gil. The
// thread that shuts Python down keeps the GIL; nobody else could use it.
class ReleaseGil {
public:
    ReleaseGil() : state_(is_shutting_down() ? nullptr : PyEval_SaveThread()) {}
    ReleaseGil(const ReleaseGil&) = delete;
    ReleaseGil& operator=(const ReleaseGil&) = delete;
    ~ReleaseGil() {
        if (state_ == nullptr) return;
        take_gil([&] { PyEval_RestoreThread(state_); });
    }

private:
    PyThreadState* state_;
};

// Takes the GIL again for the length of a scope, inside one of ReleaseGil, on the same thread.
class AcquireGil {
public:
    AcquireGil() {
        take_gil([&] { state_ = PyGILState_Ensure(); });
    }
    AcquireGil(const AcquireGil&) = delete;
    AcquireGil& operator=(const AcquireGil&) = delete;
    ~AcquireGil() { PyGILState_Release(state_); }

private:
    PyGILState_STATE state_;
};
