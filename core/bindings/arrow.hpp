// Series as an Arrow stream (the C data interface, through a PyCapsule): any data-frame library takes it, without
// a copy of the columns and without our depending on any of them.
#pragma once

#include <nanobind/nanobind.h>

void bind_arrow(nanobind::module_& m);
