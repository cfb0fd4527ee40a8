#include "sightline/aggregate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>

#include "bootstrap.hpp"
#include "parallel.hpp"
#include "scratch.hpp"
#include "spread.hpp"
#include "x_axis.hpp"

namespace sightline {
namespace {

// Values of the members at some places of the grid: so many numbers at a time (32 MB), whatever the size of the group.
// Where that is not enough for all places, members are looked at again for the next ones.
constexpr size_t kMostNumbers = size_t{4} << 20;
// Places that one thread measures one after the other: what lies beside each other in a member's row comes in few lines
// of the cache, and resamples are counted once for all of them.
constexpr size_t kStrip = 16;

// ---------------------------------------------------------------- one member

// Calls use(x, value, size) with rows in order of x, all of which have one.
template <class Use>
void with_sorted(const SeriesColumns& s, const AggregateOptions& options, bool is_smoothed, Use&& use) {
    std::optional<Scratch> scratch;
    const double* value = s.value;
    if (is_smoothed && options.smoothing.kind != SmoothingKind::kNone) {
        smooth(options.smoothing, s.value, s.wall, s.size, scratch.emplace(s.size).get());
        value = scratch->get();
    }
    with_x(s, options.x, [&](const auto& x) {
        if (s.is_sorted || sorted_until(x, s.size, 0) == s.size) {
            use(x, value, s.size);
            return;
        }
        std::vector<size_t> rows;
        rows.reserve(s.size);
        for (size_t i = 0; i < s.size; ++i)
            if (std::isfinite(x(i))) rows.push_back(i);
        std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) { return x(a) < x(b); });
        std::vector<double> xs(rows.size());
        std::vector<double> values(rows.size());
        for (size_t i = 0; i < rows.size(); ++i) {
            xs[i] = x(rows[i]);
            values[i] = value[rows[i]];
        }
        use(NumberX{xs.data(), 0}, values.data(), rows.size());
    });
}

// ---------------------------------------------------------------- the grid

// Where each cell of the range begins: the least x that Buckets puts there or further on.
struct Cells {
    std::vector<double> begin;  // one more than there are cells: where the last one ends
    std::vector<double> center;
};

Cells cells_of(const XRange& range, const AggregateOptions& options) {
    const Buckets buckets(range, options.is_log, options.buckets);
    // Doubles in the order of their size, as whole numbers.
    const auto ordered = [](double x) {
        const auto bits = std::bit_cast<int64_t>(x);
        return bits < 0 ? std::numeric_limits<int64_t>::min() - bits : bits;
    };
    const auto number = [](int64_t place) {
        return std::bit_cast<double>(place < 0 ? std::numeric_limits<int64_t>::min() - place : place);
    };
    Cells out;
    out.begin.push_back(range.low);
    for (int64_t cell = 1; cell < buckets.count(); ++cell) {
        int64_t low = ordered(out.begin.back());
        int64_t high = ordered(range.high);
        while (low < high) {
            const int64_t middle = std::midpoint(low, high);  // rounds towards low
            if (buckets.of(number(middle)) >= cell) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        out.begin.push_back(number(low));
    }
    out.begin.push_back(std::nextafter(range.high, kInfinity));
    for (int64_t cell = 0; cell < buckets.count(); ++cell)
        out.center.push_back(std::clamp(buckets.center(cell), range.low, range.high));
    return out;
}

// Places of one group. Points belong to a place when their x is from begin to below end.
struct Grid {
    bool is_exact = false;
    std::vector<double> x, begin, end;
    size_t inside_begin = 0, inside_end = 0;  // places in the range; the others are neighbours

    size_t size() const { return x.size(); }
    void add(double at) {
        x.push_back(at);
        begin.push_back(at);
        end.push_back(std::nextafter(at, kInfinity));
    }
};

// Every different x of some series in the range, until there are more than are wanted.
class DifferentX {
public:
    DifferentX(const XRange& range, size_t most) : range_(range), most_(most) {}

    bool is_too_many() const { return found_.size() > most_; }
    const std::vector<double>& found() const { return found_; }

    template <class X>
    void add(const X& x, size_t size) {
        const size_t begin = first_row(0, size, [&](size_t i) { return x(i) >= range_.low; });
        size_t at = 0;  // in found_
        for (size_t i = begin; i < size && x(i) <= range_.high && !is_too_many(); ++i) {
            const double now = x(i);
            while (at < found_.size() && found_[at] < now) ++at;
            if (at == found_.size()) {
                found_.push_back(now);
            } else if (found_[at] != now) {
                merge(x, size, i, at);
                return;
            }
        }
    }

private:
    // The rest of a series, from row i on, into what was found, from place `at` on.
    template <class X>
    void merge(const X& x, size_t size, size_t i, size_t at) {
        const std::vector<double> rest(found_.begin() + static_cast<ptrdiff_t>(at), found_.end());
        found_.resize(at);
        size_t next = 0;  // in rest
        while (!is_too_many()) {
            const bool has_row = i < size && x(i) <= range_.high;
            if (!has_row && next == rest.size()) return;
            const double now = !has_row ? rest[next] : next == rest.size() ? x(i) : std::min(x(i), rest[next]);
            found_.push_back(now);
            while (i < size && x(i) == now) ++i;
            while (next < rest.size() && rest[next] == now) ++next;
        }
    }

    const XRange range_;
    const size_t most_;
    std::vector<double> found_;
};

// ---------------------------------------------------------------- a member's values on the grid

// What a member has at a place.
struct Place {
    double value = kNan;
    double low = kNan, high = kNan;
};

template <class X>
class Walk {
public:
    Walk(const X& x, const double* value, size_t size) : x_(x), value_(value), size_(size) {}

    // Calls take(place, what) for the places [begin, end) at which the member has a value.
    template <class Take>
    void run(const Grid& grid, size_t begin, size_t end, Take&& take) {
        if (begin == end) return;
        size_t i = first_row(0, size_, [&](size_t row) { return x_(row) >= grid.begin[begin]; });
        for (size_t p = begin; p < end; ++p) {
            while (i < size_ && x_(i) < grid.begin[p]) ++i;
            const size_t first = i;
            while (i < size_ && x_(i) < grid.end[p]) ++i;
            if (i > first) {
                const Place found = of_rows(first, i);
                if (!std::isnan(found.value)) take(p, found);
            } else if (i > 0 && i < size_) {
                const double between = interpolated(i, grid.x[p]);
                if (!std::isnan(between)) take(p, Place{between, between, between});
            } else if (i == size_) {
                return;  // nothing beyond its end
            }
        }
    }

private:
    Place of_rows(size_t begin, size_t end) {
        if (end - begin == 1) {
            const double v = value_[begin];
            return std::isfinite(v) ? Place{v, v, v} : Place{};
        }
        double low = kInfinity;
        double high = -kInfinity;
        bool is_all_finite = true;
        for (size_t i = begin; i < end; ++i) {
            const double v = value_[i];
            if (!std::isfinite(v)) {
                is_all_finite = false;
                continue;
            }
            low = std::min(low, v);
            high = std::max(high, v);
        }
        if (low > high) return {};
        if (is_all_finite) return {stable_mean({value_ + begin, end - begin}), low, high};
        finite_.clear();
        std::copy_if(value_ + begin, value_ + end, std::back_inserter(finite_),
                     [](double v) { return std::isfinite(v); });
        return {stable_mean(finite_), low, high};
    }

    // Between the points before row i and those from it on; each side is all points of one x.
    double interpolated(size_t i, double at) {
        if (gap_ != i) {
            gap_ = i;
            const double left_x = x_(i - 1);
            const double right_x = x_(i);
            size_t begin = i - 1;
            while (begin > 0 && x_(begin - 1) == left_x) --begin;
            size_t end = i + 1;
            while (end < size_ && x_(end) == right_x) ++end;
            left_ = of_rows(begin, i).value;
            right_ = of_rows(i, end).value;
        }
        if (std::isnan(left_) || std::isnan(right_)) return kNan;
        const double width = x_(i) - x_(i - 1);
        const double way = at - x_(i - 1);
        const double share =
            std::clamp(std::isfinite(width) ? way / width : way / 2 / (x_(i) / 2 - x_(i - 1) / 2), 0.0, 1.0);
        const double rise = right_ - left_;
        return std::isfinite(rise) ? left_ + rise * share : left_ * (1 - share) + right_ * share;
    }

    const X x_;
    const double* value_;
    const size_t size_;
    size_t gap_ = 0;  // the row behind the gap whose sides are known; 0: none
    double left_ = kNan, right_ = kNan;
    std::vector<double> finite_;
};

// ---------------------------------------------------------------- groups

class Aggregation {
public:
    Aggregation(const std::vector<SeriesColumns>& all, const AggregateOptions& options)
        : all_(all), options_(options), range_(usable_range(all, options.x, options.range, options.is_log)) {}

    // How many numbers have to be looked at, roughly.
    size_t work_of(std::span<const uint32_t> members) const {
        size_t work = 0;
        for (const uint32_t member : members) work += all_[member].size + options_.buckets;
        return work;
    }

    GroupAggregate run(std::span<const uint32_t> members, bool is_threaded) {
        const Grid grid = grid_of(members);
        GroupAggregate out;
        out.is_exact = grid.is_exact;
        std::vector<uint8_t> is_there(members.size());
        const size_t block =
            std::clamp<size_t>(kMostNumbers / std::max<size_t>(1, members.size()), 1, std::max<size_t>(1, grid.size()));
        std::vector<double> rows(members.size() * block);
        LastPlace last{std::vector<uint8_t>(members.size())};
        for (size_t begin = 0; begin < grid.size(); begin += block) {
            const size_t end = std::min(grid.size(), begin + block);
            Block some{grid, begin, end, rows, {}, {}};
            fill(members, some, is_there, is_threaded);
            measure(members.size(), some, is_threaded, last, out);
        }
        out.runs = static_cast<uint64_t>(std::count(is_there.begin(), is_there.end(), 1));
        find_y_range(out);
        return out;
    }

private:
    struct Block {
        const Grid& grid;
        size_t begin, end;          // places
        std::vector<double>& rows;  // one behind the other, a member each; NaN: has no value there
        std::vector<double> low, high;

        size_t width() const { return end - begin; }
    };

    const Cells& cells() {
        std::call_once(has_cells_, [&] { cells_ = cells_of(range_, options_); });
        return cells_;
    }

    Grid grid_of(std::span<const uint32_t> members) {
        DifferentX different(range_, options_.buckets);
        double left = -kInfinity;
        double right = kInfinity;
        for (const uint32_t member : members) {
            if (different.is_too_many() && !options_.has_neighbours) break;
            with_sorted(all_[member], options_, false, [&](const auto& x, const double*, size_t size) {
                if (!different.is_too_many()) different.add(x, size);
                if (!options_.has_neighbours) return;
                const size_t begin = first_row(0, size, [&](size_t i) { return x(i) >= range_.low; });
                const size_t end = first_row(begin, size, [&](size_t i) { return x(i) > range_.high; });
                if (begin > 0) left = std::max(left, x(begin - 1));
                if (end < size) right = std::min(right, x(end));
            });
        }
        Grid grid;
        grid.is_exact = !different.is_too_many();
        if (std::isfinite(left) && !(options_.is_log && left <= 0)) grid.add(left);
        grid.inside_begin = grid.size();
        if (grid.is_exact) {
            for (const double x : different.found()) grid.add(x);
        } else {
            const Cells& cells = this->cells();
            grid.x.insert(grid.x.end(), cells.center.begin(), cells.center.end());
            grid.begin.insert(grid.begin.end(), cells.begin.begin(), cells.begin.end() - 1);
            grid.end.insert(grid.end.end(), cells.begin.begin() + 1, cells.begin.end());
        }
        grid.inside_end = grid.size();
        if (std::isfinite(right)) grid.add(right);
        return grid;
    }

    void fill(std::span<const uint32_t> members, Block& block, std::vector<uint8_t>& is_there, bool is_threaded) const {
        const bool has_extremes = options_.band == Band::kExtremes;
        const Grid& grid = block.grid;
        if (has_extremes) {
            block.low.assign(block.width(), kInfinity);
            block.high.assign(block.width(), -kInfinity);
        }
        std::mutex mutex;
        for_each_in_parallel(members.size(), is_threaded, [&](size_t i) {
            double* row = block.rows.data() + i * block.width();
            std::fill_n(row, block.width(), kNan);
            std::vector<std::pair<size_t, Place>> extremes;
            with_sorted(all_[members[i]], options_, true, [&](const auto& x, const double* value, size_t size) {
                Walk(x, value, size).run(grid, block.begin, block.end, [&](size_t place, const Place& found) {
                    row[place - block.begin] = found.value;
                    if (place >= grid.inside_begin && place < grid.inside_end) is_there[i] = 1;
                    if (has_extremes) extremes.emplace_back(place - block.begin, found);
                });
            });
            if (extremes.empty()) return;
            const std::lock_guard lock(mutex);
            for (const auto& [place, found] : extremes) {
                block.low[place] = std::min(block.low[place], found.low);
                block.high[place] = std::max(block.high[place], found.high);
            }
        });
    }

    // The place that was found last, over the borders of blocks.
    struct LastPlace {
        std::vector<uint8_t> has_value;  // by member; only of a block's last place
        size_t column = kNoColumn;       // in the block at hand; kNoColumn: in the one before
        uint32_t count = 0;
        bool is_behind_gap = false;  // nobody has a value at the places since
    };
    static constexpr size_t kNoColumn = static_cast<size_t>(-1);

    // Whether a member has a value at this place of the block and at the last one.
    static bool is_joined(size_t members, const Block& block, size_t place, uint32_t count, const LastPlace& last) {
        if (last.is_behind_gap) return false;
        if (size_t{last.count} + count > members) return true;
        for (size_t i = 0; i < members; ++i) {
            const double* row = block.rows.data() + i * block.width();
            if (std::isnan(row[place])) continue;
            if (last.column == kNoColumn ? last.has_value[i] != 0 : !std::isnan(row[last.column])) return true;
        }
        return false;
    }

    void measure(size_t members, const Block& block, bool is_threaded, LastPlace& last, GroupAggregate& out) {
        const size_t width = block.width();
        std::vector<Spread> spreads(width);
        std::vector<uint32_t> counts(width);
        const size_t strips = (width + kStrip - 1) / kStrip;
        for_each_in_parallel(strips, is_threaded, [&](size_t strip) {
            SpreadRoom room;
            const size_t begin = strip * kStrip;
            const size_t end = std::min(width, begin + kStrip);
            std::vector<double> values((end - begin) * members);
            std::array<size_t, kStrip> found{};
            for (size_t i = 0; i < members; ++i) {
                const double* row = block.rows.data() + i * width + begin;
                for (size_t place = 0; place < end - begin; ++place) {
                    values[place * members + found[place]] = row[place];
                    found[place] += std::isnan(row[place]) ? 0 : 1;
                }
            }
            for (size_t place = begin; place < end; ++place) {
                const size_t count = found[place - begin];
                counts[place] = static_cast<uint32_t>(count);
                if (count == 0) continue;
                spreads[place] = spread_of({values.data() + (place - begin) * members, count}, options_.center,
                                           options_.band, bootstrap_, room);
                if (options_.band != Band::kExtremes || count == 1) continue;
                spreads[place].low = block.low[place];
                spreads[place].high = block.high[place];
            }
        });
        for (size_t place = 0; place < width; ++place) {
            if (counts[place] == 0) {
                last.is_behind_gap = last.count > 0;
                continue;
            }
            if (last.count > 0 && !is_joined(members, block, place, counts[place], last))
                out.breaks.push_back(static_cast<uint32_t>(out.x.size()));
            last.column = place;
            last.count = counts[place];
            last.is_behind_gap = false;
            out.x.push_back(block.grid.x[block.begin + place]);
            out.center.push_back(spreads[place].center);
            out.members.push_back(counts[place]);
            if (options_.band == Band::kNone) continue;
            out.low.push_back(spreads[place].low);
            out.high.push_back(spreads[place].high);
        }
        if (last.column == kNoColumn) return;
        for (size_t i = 0; i < members; ++i)
            last.has_value[i] = std::isnan(block.rows[i * width + last.column]) ? 0 : 1;
        last.column = kNoColumn;
    }

    void find_y_range(GroupAggregate& out) const {
        double least = kInfinity;
        double greatest = -kInfinity;
        for (size_t i = 0; i < out.x.size(); ++i) {
            if (out.x[i] < range_.low || out.x[i] > range_.high) continue;
            const auto look_at = [&](double y) {
                if (!std::isfinite(y)) return;
                least = std::min(least, y);
                greatest = std::max(greatest, y);
            };
            look_at(out.center[i]);
            if (options_.band == Band::kNone) continue;
            look_at(out.low[i]);
            look_at(out.high[i]);
        }
        out.y_low = least <= greatest ? least : kNan;
        out.y_high = least <= greatest ? greatest : kNan;
    }

    const std::vector<SeriesColumns>& all_;
    const AggregateOptions options_;
    const XRange range_;
    std::once_flag has_cells_;
    Cells cells_;
    Bootstrap bootstrap_;
};

}  // namespace

std::vector<GroupAggregate> aggregate(const std::vector<SeriesColumns>& all,
                                      const std::vector<std::vector<uint32_t>>& groups, AggregateOptions options) {
    options.buckets = std::max(options.buckets, 1U);
    Aggregation aggregation(all, options);
    std::vector<GroupAggregate> out(groups.size());
    // Large groups one after the other, each by all threads; then the small ones side by side.
    std::vector<size_t> small;
    size_t small_work = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
        const size_t work = aggregation.work_of(groups[i]);
        if (work >= kWorthThreads) {
            out[i] = aggregation.run(groups[i], true);
        } else {
            small.push_back(i);
            small_work += work;
        }
    }
    for_each_in_parallel(small.size(), small_work >= kWorthThreads,
                         [&](size_t i) { out[small[i]] = aggregation.run(groups[small[i]], false); });
    return out;
}

}  // namespace sightline
