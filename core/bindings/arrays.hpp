// Columns between NumPy and the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

// A column that Python hands over; what is not contiguous is copied.
template <class T>
using Column = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// An array that owns its numbers.
template <class T>
nanobind::object array_of(std::vector<T>&& numbers) {
    auto* kept = new std::vector<T>(std::move(numbers));
    const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::cast(
        nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(kept->data(), {kept->size()}, owner));
}

template <class T>
nanobind::object array_of(std::unique_ptr<T[]>&& numbers, size_t size) {
    T* kept = numbers.release();
    const nanobind::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(kept, {size}, owner));
}
