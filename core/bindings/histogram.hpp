// Arrays that are counted into histograms, and what comes out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "sightline/histogram.hpp"

// Any numbers that lie close together: NumPy's, and through DLPack those of torch (bfloat16 too) and others.
using NumberArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

// The type of an array's elements. Raises TypeError for complex numbers and others that cannot be counted.
sightline::DType dtype_from_python(const NumberArray& array);

void bind_histogram(nanobind::module_& m);
