// Answers about many runs at once. Asking ten thousand runs one by one costs a crossing into Python for each; these are
// made in one go, by Index, in bulk.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sightline/rows.hpp"

namespace sightline {

// One run, in numbers. Times and gaps are NaN while unknown.
struct RunFacts {
    std::string name;
    uint64_t revision = 0;
    double first_wall_time = std::numeric_limits<double>::quiet_NaN();
    double last_wall_time = std::numeric_limits<double>::quiet_NaN();
    // Greatest step in the last rows of the scalar series, in the file that ended last of those that have any.
    int64_t last_step = 0;
    bool has_step = false;
    uint64_t points = 0;  // scalar rows
    uint64_t size_bytes = 0;
    uint64_t read_bytes = 0;    // all, once a file has been read to its end, even if that is torn
    uint64_t damage_count = 0;  // places, and files that cannot be read
    // Median of the positive gaps between the last kGapRows rows of the longest scalar series of that same file.
    double usual_gap_s = std::numeric_limits<double>::quiet_NaN();
    bool is_own = false;  // a file of it names the writer that was asked for
};
inline constexpr size_t kGapRows = 64;

// One (tag, form, plugin) over all runs.
struct TagFacts {
    std::string tag;
    Form form = Form::kScalar;
    std::string plugin;
    std::vector<std::string> metadata;  // distinct ones, in the order of the runs; the first kMostMetadata
    std::vector<uint32_t> runs;         // positions in TagTable::runs, ascending
};
inline constexpr size_t kMostMetadata = 16;

struct TagTable {
    std::vector<std::string> runs;
    std::vector<TagFacts> tags;
};

// Whether a run's points of a tag can be taken as they lie in the file.
enum class ScalarState : uint8_t {
    kAbsent,     // the run has no such scalars
    kPlain,      // one file has them all and no restart is recorded: every row counts, in its order
    kBranching,  // several files or restarts: which rows count, and in which order, is decided by store/branches.py
};

struct ScalarRows {
    ScalarState state = ScalarState::kAbsent;
    RowView rows;            // kPlain only
    bool is_sorted = false;  // x is known to be finite and never to fall
};

}  // namespace sightline
