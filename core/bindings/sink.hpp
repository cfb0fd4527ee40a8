#pragma once

#include <nanobind/nanobind.h>

void bind_sink(nanobind::module_& m);
