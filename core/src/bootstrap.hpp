// How far the centre of a group may be from the truth: 95 % of the centres of resampled members (percentile bootstrap).
//
// The same numbers give the same interval on every call: resamples come from a fixed seed and depend on the number of
// members only, not on their values, so that a band is smooth along x. What is drawn once serves all places:
//
// median  Only ranks matter. The middle ones of n draws are the middle order statistics of n uniform numbers, which are
//         drawn directly; the median of each resample is then a look into the sorted values.
// mean    A resample is how often each member is in it; all means are one product of a matrix and a vector. Up to
//         kMostDrawn members these are n draws with replacement. Above, each member is in a resample as often as
//         a Poisson variable of mean 1 says, and the mean is over what came: the same up to 1/n of the width, far
//         below the noise of kResamples (8 % of the standard error), and one table serves every n.
//         But the moments of the bootstrap distribution of a mean are known, and where that distribution is close to
//         normal its quantiles follow from the first four (Cornish and Fisher) within 1 %, without any noise. So
//         above kMostDrawn members resampling is left for groups in which few outweigh all others. Above
//         kMostResampled the moments serve those too; the interval then comes out up to a third too wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace sightline {

struct Interval {
    double low = 0;
    double high = 0;
};

inline constexpr size_t kResamples = 1024;

// Value at a fraction of the way through numbers that are sorted; between the two nearest in rank, as NumPy does it.
double percentile_of_sorted(std::span<const double> sorted, double fraction);

// Tables of resamples, made when they are needed. May be used by several threads at once, each with a Room of its own.
class Bootstrap {
public:
    static constexpr size_t kMostDrawn = 64;
    static constexpr size_t kMostResampled = 1024;

    struct Ranks {
        uint32_t lower, upper;  // the same for an odd number of members
    };

    // Memory that one thread keeps from place to place.
    struct Room {
        std::vector<double> centers = std::vector<double>(kResamples);
        size_t totals_for = 0;
        std::vector<double> totals;
        size_t ranks_for = 0;
        std::vector<Ranks> ranks;
    };

    // Of two or more values, given as what they differ from their mean by, and so is the interval. None so large that a
    // sum of fourth powers overflows.
    Interval of_mean(std::span<const double> deviations, Room& room);
    // Of two or more finite values.
    Interval of_median(std::span<const double> sorted, Room& room);

private:
    // For each stretch of kLanes resamples, for each member, how often it is in each of them.
    struct Weights {
        std::once_flag is_made;
        std::vector<double> count;
        size_t members = 0;
    };
    struct RankTable {
        std::once_flag is_made;
        std::vector<Ranks> ranks;
    };
    const Weights& drawn(size_t members);
    const Weights& poisson();

    std::array<Weights, kMostDrawn + 1> drawn_;
    std::array<RankTable, kMostDrawn + 1> ranks_;
    Weights poisson_;
};

}  // namespace sightline
