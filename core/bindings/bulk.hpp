#pragma once

#include <nanobind/nanobind.h>

#include "sightline/index.hpp"

void bind_reduction(nanobind::module_& m);
void bind_bulk(nanobind::class_<sightline::Index>& index);
