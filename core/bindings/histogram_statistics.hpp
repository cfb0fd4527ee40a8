#pragma once

#include <nanobind/nanobind.h>

void bind_histogram_statistics(nanobind::module_& m);
