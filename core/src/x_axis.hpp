// The x of a series' rows, the columns of pixels it falls into, and the stretch of it that some series share: what
// reducing and aggregating have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sightline/reduce.hpp"

namespace sightline {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct StepX {
    const int64_t* step;
    double operator()(size_t i) const { return static_cast<double>(step[i]); }
};
struct NumberX {
    const double* number;  // wall times, or a column of its own
    double origin;         // 0 on any axis but relative time
    double operator()(size_t i) const { return number[i] - origin; }
};

inline double origin_of(const SeriesColumns& s) {
    if (!std::isnan(s.origin_wall)) return s.origin_wall;
    for (size_t i = 0; i < s.size; ++i)
        if (std::isfinite(s.wall[i])) return s.wall[i];
    return kNan;
}

template <class Use>
auto with_x(const SeriesColumns& s, XAxis axis, Use&& use) {
    if (axis == XAxis::kStep) return use(StepX{s.step});
    if (axis == XAxis::kGiven) return use(NumberX{s.x, 0});
    return use(NumberX{s.wall, axis == XAxis::kRelative ? origin_of(s) : 0.0});
}

template <class X>
size_t sorted_until(const X& x, size_t size, size_t known) {
    size_t i = known;
    if (i == 0) {
        if (size == 0 || !std::isfinite(x(0))) return 0;
        i = 1;
    }
    double before = x(i - 1);
    for (; i < size; ++i) {
        const double now = x(i);
        if (!(now >= before && now < kInfinity)) return i;
        before = now;
    }
    return size;
}

// First row in [begin, end) for which the predicate holds; all behind it fulfil it too.
template <class Is>
size_t first_row(size_t begin, size_t end, Is&& is) {
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (is(middle)) {
            end = middle;
        } else {
            begin = middle + 1;
        }
    }
    return begin;
}

// Which column of pixels an x belongs to.
class Buckets {
public:
    static constexpr int64_t kLeft = -1;     // before the range; behind it: count()
    static constexpr int64_t kNowhere = -2;  // not finite

    Buckets(const XRange& range, bool is_log, uint32_t count) : range_(range), is_log_(is_log), count_(count) {
        begin_ = placed(range.low);
        const double end = placed(range.high);
        is_halved_ = !std::isfinite(end - begin_);
        width_ = is_halved_ ? end / 2 - begin_ / 2 : end - begin_;
    }
    int64_t count() const { return count_; }
    bool is_inside(double x) const { return x >= range_.low && x <= range_.high; }
    int64_t of(double x) const {
        if (!std::isfinite(x)) return kNowhere;
        if (x < range_.low) return kLeft;
        if (x > range_.high) return count_;
        const double place = placed(x);
        const double way = is_halved_ ? place / 2 - begin_ / 2 : place - begin_;
        if (!(width_ > 0)) return 0;
        return std::min(static_cast<int64_t>(way / width_ * static_cast<double>(count_)), count_ - 1);
    }

    // In the middle of a column.
    double center(int64_t bucket) const {
        const double share = (static_cast<double>(bucket) + 0.5) / static_cast<double>(count_);
        const double place =
            is_halved_ ? begin_ * (1 - share) + (begin_ / 2 + width_) * 2 * share : begin_ + width_ * share;
        return is_log_ ? std::pow(10.0, place) : place;
    }

private:
    double placed(double x) const { return is_log_ ? std::log10(x) : x; }

    XRange range_;
    bool is_log_;
    int64_t count_;
    double begin_;
    double width_;
    bool is_halved_;  // ends so far apart that their difference is not a number any more
};

// A range that every series can be shown in: in order, and with a logarithm when one is asked for.
inline XRange usable_range(const std::vector<SeriesColumns>& all, XAxis axis, const std::optional<XRange>& asked,
                           bool is_log) {
    constexpr double kMost = std::numeric_limits<double>::max();
    XRange range{1, 1};  // of no point at all
    if (!asked) return x_extent(all, axis, is_log).value_or(range);
    const auto [low, high] = *asked;
    range = {std::clamp(std::min(low, high), -kMost, kMost), std::clamp(std::max(low, high), -kMost, kMost)};
    if (!is_log || range.low > 0) return range;
    const double least = x_extent(all, axis, true).value_or(XRange{1, 1}).low;
    return {least, std::max(least, range.high)};
}

}  // namespace sightline
