#pragma once

#include <nanobind/nanobind.h>

#include "sightline/index.hpp"

void bind_decoded_values(nanobind::class_<sightline::Index>& index);
