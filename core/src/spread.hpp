// Centre and band of the members' values at one place.
#pragma once

#include <span>
#include <vector>

#include "bootstrap.hpp"
#include "sightline/aggregate.hpp"

namespace sightline {

// What one thread needs to measure one place after the other.
struct SpreadRoom {
    std::vector<double> deviations;
    Bootstrap::Room bootstrap;
};

struct Spread {
    double center = 0;
    double low = 0, high = 0;  // NaN where there is no band
};

// Mean of finite numbers, at least one. Differences from the first are summed: numbers that differ in their last digits
// only have a mean with as many.
double stable_mean(std::span<const double> values);

// Of finite values, at least one, which are reordered on the way. Band::kExtremes is known to the caller only: without a
// band here.
Spread spread_of(std::span<double> values, Center center, Band band, Bootstrap& bootstrap, SpreadRoom& room);

}  // namespace sightline
