#include "sightline/reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "parallel.hpp"
#include "scratch.hpp"
#include "x_axis.hpp"

namespace sightline {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();
constexpr uint64_t kVisitsPerBucket = 2;
constexpr double kCoreLow = 0.05;
constexpr double kCoreHigh = 0.95;

// What is kept of the points of one visit, or of one column.
struct Kept {
    size_t first = kNone, last = kNone;
    size_t low = kNone, high = kNone;
    size_t smoothed_low = kNone, smoothed_high = kNone;
    size_t nan = kNone, plus_infinity = kNone, minus_infinity = kNone;

    void add(size_t begin, size_t end, const double* value, const double* smoothed) {
        if (first == kNone) first = begin;
        last = end - 1;
        add_values(begin, end, value);
        if (smoothed != nullptr) add_line(begin, end, smoothed, smoothed_low, smoothed_high);
    }
    // The kept rows in order, each once.
    template <class Take>
    void take(Take&& take_row) const {
        std::array<size_t, 9> rows{first,         last, low,           high,          smoothed_low,
                                   smoothed_high, nan,  plus_infinity, minus_infinity};
        std::sort(rows.begin(), rows.end());
        size_t before = kNone;
        for (const size_t row : rows) {
            if (row == kNone) return;
            if (row != before) take_row(row);
            before = row;
        }
    }

private:
    void add_values(size_t begin, size_t end, const double* value) {
        size_t at_low = low;
        size_t at_high = high;
        double least = low == kNone ? kInfinity : value[low];
        double greatest = high == kNone ? -kInfinity : value[high];
        for (size_t i = begin; i < end; ++i) {
            const double v = value[i];
            if (!std::isfinite(v)) [[unlikely]] {
                size_t& place = std::isnan(v) ? nan : v > 0 ? plus_infinity : minus_infinity;
                if (place == kNone) place = i;
                continue;
            }
            if (v < least) {
                least = v;
                at_low = i;
            }
            if (v > greatest) {
                greatest = v;
                at_high = i;
            }
        }
        low = at_low;
        high = at_high;
    }
    static void add_line(size_t begin, size_t end, const double* line, size_t& low, size_t& high) {
        size_t at_low = low;
        size_t at_high = high;
        double least = low == kNone ? kInfinity : line[low];
        double greatest = high == kNone ? -kInfinity : line[high];
        for (size_t i = begin; i < end; ++i) {
            const double v = line[i];  // comparisons leave NaN out; infinite ones stand where the value is infinite
            if (v < least && v > -kInfinity) {
                least = v;
                at_low = i;
            }
            if (v > greatest && v < kInfinity) {
                greatest = v;
                at_high = i;
            }
        }
        low = at_low;
        high = at_high;
    }
};

template <class X>
class Reducer {
public:
    Reducer(const SeriesColumns& series, const ReduceOptions& options, const X& x, const double* smoothed,
            ReducedSeries& out)
        : series_(series),
          x_(x),
          smoothed_(smoothed),
          buckets_(*options.range, options.is_log, options.buckets),
          out_(out) {
        is_sorted_ = series.is_sorted || sorted_until(x, series.size, 0) == series.size;
        inside_begin_ = 0;
        inside_end_ = series.size;
        if (is_sorted_) {
            const XRange range = *options.range;
            inside_begin_ = first_row(0, series.size, [&](size_t i) { return x_(i) >= range.low; });
            inside_end_ = first_row(inside_begin_, series.size, [&](size_t i) { return x_(i) > range.high; });
        }
    }

    void run() {
        size_t inside = inside_end_ - inside_begin_;
        uint64_t visits = 0;  // of sorted points: never too many
        if (!is_sorted_) {
            inside = 0;
            for_each_visit([&](size_t begin, size_t end, int64_t bucket) {
                if (!is_column(bucket)) return;
                inside += end - begin;
                ++visits;
            });
        }
        const auto columns = static_cast<uint64_t>(buckets_.count());
        out_.is_exact = inside <= kExactPerBucket * columns;
        if (out_.is_exact && is_sorted_) {
            out_.first_row = inside_begin_ > 0 ? inside_begin_ - 1 : 0;
            out_.count = std::min(series_.size, inside_end_ + 1) - out_.first_row;
        } else if (out_.is_exact) {
            walk([&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) out_.rows.push_back(i);
            });
        } else if (visits <= kVisitsPerBucket * columns) {
            walk([&](size_t begin, size_t end) {
                Kept kept;
                kept.add(begin, end, series_.value, smoothed_);
                keep(kept);
            });
        } else {
            by_column();
        }
        out_.count = std::max(out_.count, out_.rows.size());
        find_y_range();
        find_core(inside);
    }

private:
    bool is_column(int64_t bucket) const { return bucket >= 0 && bucket < buckets_.count(); }

    // Calls visit(begin, end, bucket) for each stretch of rows that lie in one column, or outside on one side.
    template <class Visit>
    void for_each_visit(Visit&& visit) const {
        if (is_sorted_) {
            if (inside_begin_ > 0) visit(size_t{0}, inside_begin_, Buckets::kLeft);
            for (size_t i = inside_begin_; i < inside_end_;) {
                const int64_t bucket = buckets_.of(x_(i));
                const size_t end = end_of_bucket(i, bucket);
                visit(i, end, bucket);
                i = end;
            }
            if (inside_end_ < series_.size) visit(inside_end_, series_.size, buckets_.count());
            return;
        }
        for (size_t i = 0; i < series_.size;) {
            const int64_t bucket = buckets_.of(x_(i));
            size_t end = i + 1;
            while (end < series_.size && buckets_.of(x_(end)) == bucket) ++end;
            if (bucket != Buckets::kNowhere) visit(i, end, bucket);
            i = end;
        }
    }

    // Of sorted rows: in steps that double, then by bisection.
    size_t end_of_bucket(size_t begin, int64_t bucket) const {
        size_t inside = begin;
        size_t probe = begin + 1;
        for (size_t stride = 1; probe < inside_end_ && buckets_.of(x_(probe)) == bucket; stride *= 2) {
            inside = probe;
            probe = stride < inside_end_ - probe ? probe + stride : inside_end_;
        }
        return first_row(inside + 1, std::min(probe, inside_end_),
                         [&](size_t i) { return buckets_.of(x_(i)) != bucket; });
    }

    // Visits in order, with the points outside that a line from or to an inner one needs. With nothing inside, the two
    // points between which the range lies (or the one it lies beside).
    template <class Take>
    void walk(Take&& take_visit) {
        bool is_last_inside = false;
        size_t waiting = kNone;  // last row of the visit outside before this one
        bool has_inside = false;
        size_t visits = 0;
        for_each_visit([&](size_t begin, size_t end, int64_t bucket) {
            if (is_column(bucket)) {
                if (waiting != kNone && (out_.rows.empty() || out_.rows.back() != waiting))
                    out_.rows.push_back(waiting);
                take_visit(begin, end);
                waiting = kNone;
                is_last_inside = has_inside = true;
            } else {
                if (is_last_inside) out_.rows.push_back(begin);
                is_last_inside = false;
                waiting = end - 1;
            }
            ++visits;
        });
        if (has_inside || visits == 0) return;
        visits = 0;
        for_each_visit([&](size_t begin, size_t end, int64_t bucket) {
            if (visits == 0) out_.rows.push_back(bucket == Buckets::kLeft || end < series_.size ? end - 1 : begin);
            if (visits == 1) out_.rows.push_back(begin);
            ++visits;
        });
    }

    // For points that jump: one summary per column, columns by x, with the nearest points outside.
    void by_column() {
        std::vector<Kept> columns(static_cast<size_t>(buckets_.count()));
        size_t left = kNone;
        size_t right = kNone;
        for_each_visit([&](size_t begin, size_t end, int64_t bucket) {
            if (is_column(bucket)) {
                columns[static_cast<size_t>(bucket)].add(begin, end, series_.value, smoothed_);
                return;
            }
            for (size_t i = begin; i < end; ++i) {
                if (bucket == Buckets::kLeft) {
                    if (left == kNone || x_(i) > x_(left)) left = i;
                } else {
                    if (right == kNone || x_(i) < x_(right)) right = i;
                }
            }
        });
        if (left != kNone) out_.rows.push_back(left);
        for (const Kept& kept : columns) keep(kept);
        if (right != kNone) out_.rows.push_back(right);
    }

    void keep(const Kept& kept) {
        kept.take([&](size_t row) { out_.rows.push_back(row); });
    }

    // The least and greatest value of each column are among the kept rows, so only those need to be looked at.
    void find_y_range() {
        double least = kInfinity;
        double greatest = -kInfinity;
        for (size_t i = 0; i < out_.count; ++i) {
            const size_t row = out_.row(i);
            const double v = series_.value[row];
            if (!std::isfinite(v) || !buckets_.is_inside(x_(row))) continue;
            least = std::min(least, v);
            greatest = std::max(greatest, v);
        }
        out_.y_low = least <= greatest ? least : kNan;
        out_.y_high = least <= greatest ? greatest : kNan;
    }

    void find_core(size_t inside) {
        const double* line = smoothed_ != nullptr ? smoothed_ : series_.value;
        const size_t wanted = std::min(inside, kMostRanked);
        std::vector<double> ranked;
        ranked.reserve(wanted);
        size_t passed = 0;  // points inside before this visit
        size_t taken = 0;
        const auto look_at = [&](size_t begin, size_t end) {
            while (taken < wanted) {
                const size_t place = taken * inside / wanted;
                if (place >= passed + (end - begin)) break;
                const double v = line[begin + (place - passed)];
                if (std::isfinite(v)) ranked.push_back(v);
                ++taken;
            }
            passed += end - begin;
        };
        if (is_sorted_) {
            look_at(inside_begin_, inside_end_);
        } else {
            for_each_visit([&](size_t begin, size_t end, int64_t bucket) {
                if (is_column(bucket)) look_at(begin, end);
            });
        }
        // The upper one first: what lies below it is then all that the lower one needs.
        out_.core_high = percentile(ranked, kCoreHigh);
        out_.core_low = percentile(ranked, kCoreLow);
    }

    // Between the two nearest in rank, as NumPy does it.
    static double percentile(std::vector<double>& ranked, double fraction) {
        if (ranked.empty()) return kNan;
        const double rank = fraction * static_cast<double>(ranked.size() - 1);
        const auto lower = static_cast<ptrdiff_t>(rank);
        const auto at = ranked.begin() + lower;
        std::nth_element(ranked.begin(), at, ranked.end());
        const double share = rank - static_cast<double>(lower);
        if (share == 0 || at + 1 == ranked.end()) return *at;
        return *at * (1 - share) + *std::min_element(at + 1, ranked.end()) * share;
    }

    const SeriesColumns& series_;
    const X x_;
    const double* smoothed_;
    const Buckets buckets_;
    ReducedSeries& out_;
    bool is_sorted_;
    size_t inside_begin_;  // of sorted rows
    size_t inside_end_;
};

template <class X>
void extend(XRange& extent, const X& x, const SeriesColumns& s, bool is_log) {
    const bool is_sorted = s.is_sorted || sorted_until(x, s.size, 0) == s.size;
    const auto has_place = [&](double at) { return std::isfinite(at) && (!is_log || at > 0); };
    if (is_sorted) {
        const size_t first = is_log ? first_row(0, s.size, [&](size_t i) { return x(i) > 0; }) : 0;
        if (first >= s.size) return;
        extent.low = std::min(extent.low, x(first));
        extent.high = std::max(extent.high, x(s.size - 1));
        return;
    }
    for (size_t i = 0; i < s.size; ++i) {
        const double at = x(i);
        if (!has_place(at)) continue;
        extent.low = std::min(extent.low, at);
        extent.high = std::max(extent.high, at);
    }
}

}  // namespace

size_t sorted_rows(const int64_t* step, size_t size, size_t known) { return sorted_until(StepX{step}, size, known); }
size_t sorted_rows(const double* wall, size_t size, size_t known) {
    return sorted_until(NumberX{wall, 0}, size, known);
}

std::optional<XRange> x_extent(const std::vector<SeriesColumns>& all, XAxis axis, bool is_log) {
    XRange extent{kInfinity, -kInfinity};
    for (const SeriesColumns& s : all) with_x(s, axis, [&](const auto& x) { extend(extent, x, s, is_log); });
    if (!(extent.low <= extent.high)) return std::nullopt;
    return extent;
}

ReducedSeries reduce(const SeriesColumns& series, const ReduceOptions& options) {
    ReducedSeries out;
    out.total = series.size;
    out.origin_wall = origin_of(series);
    std::optional<Scratch> scratch;
    const double* smoothed = nullptr;
    if (options.smoothing.kind != SmoothingKind::kNone) {
        smoothed = scratch.emplace(series.size).get();
        smooth(options.smoothing, series.value, series.wall, series.size, scratch->get());
    }
    with_x(series, options.x, [&](const auto& x) { Reducer(series, options, x, smoothed, out).run(); });
    if (smoothed != nullptr) {
        out.smoothed.reserve(out.count);
        for (size_t i = 0; i < out.count; ++i) out.smoothed.push_back(smoothed[out.row(i)]);
    }
    return out;
}

namespace {

template <class T>
void gather(const T* column, const ReducedSeries& series, T* out) {
    if (series.rows.empty()) {
        std::copy_n(column + series.first_row, series.count, out);
    } else {
        for (const size_t row : series.rows) *out++ = column[row];
    }
}

void join(const std::vector<SeriesColumns>& all, bool is_smoothed, bool is_x_given, ReducedBatch& batch) {
    batch.offsets.push_back(0);
    for (const ReducedSeries& s : batch.series) batch.offsets.push_back(batch.offsets.back() + s.count);
    batch.step = std::make_unique_for_overwrite<int64_t[]>(batch.count());
    batch.wall = std::make_unique_for_overwrite<double[]>(batch.count());
    batch.value = std::make_unique_for_overwrite<double[]>(batch.count());
    if (is_smoothed) batch.smoothed = std::make_unique_for_overwrite<double[]>(batch.count());
    if (is_x_given) batch.x = std::make_unique_for_overwrite<double[]>(batch.count());
    for (size_t i = 0; i < all.size(); ++i) {
        ReducedSeries& s = batch.series[i];
        const uint64_t at = batch.offsets[i];
        gather(all[i].step, s, batch.step.get() + at);
        gather(all[i].wall, s, batch.wall.get() + at);
        gather(all[i].value, s, batch.value.get() + at);
        if (is_smoothed) std::copy_n(s.smoothed.begin(), s.count, batch.smoothed.get() + at);
        if (is_x_given) gather(all[i].x, s, batch.x.get() + at);
    }
}

}  // namespace

ReducedBatch reduce_all(const std::vector<SeriesColumns>& all, ReduceOptions options) {
    options.buckets = std::max(options.buckets, 1U);
    options.range = usable_range(all, options.x, options.range, options.is_log);
    ReducedBatch out;
    out.series.resize(all.size());
    size_t points = 0;
    for (const SeriesColumns& s : all) points += s.size;
    for_each_in_parallel(all.size(), points >= kWorthThreads,
                         [&](size_t i) { out.series[i] = reduce(all[i], options); });
    join(all, options.smoothing.kind != SmoothingKind::kNone, options.x == XAxis::kGiven, out);
    return out;
}

}  // namespace sightline
