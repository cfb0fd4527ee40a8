#include "sightline/bulk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "sightline/event.hpp"
#include "sightline/index.hpp"

namespace sightline {
namespace {

constexpr uint32_t kNoMetadata = std::numeric_limits<uint32_t>::max();
// Longer series have the order of their rows remembered: shorter ones are looked at in less time than remembering takes.
constexpr size_t kLongSeries = 32 << 10;

double median_gap(const double* wall, size_t size) {
    std::array<double, kGapRows> gaps;
    size_t count = 0;
    for (size_t i = size - std::min(size, kGapRows) + 1; i < size; ++i) {
        const double gap = wall[i] - wall[i - 1];
        if (gap > 0 && std::isfinite(gap)) gaps[count++] = gap;
    }
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = gaps.begin() + static_cast<ptrdiff_t>(count / 2);
    std::nth_element(gaps.begin(), middle, gaps.begin() + static_cast<ptrdiff_t>(count));
    return *middle;
}

// Adds what one file says about its run. `newest`: end of the file that last_step and usual_gap_s are from.
void add_facts(RunFacts& run, double& newest, const FileContent& c, const std::string& own_writer) {
    const double begin = c.facts.begin_wall_time();
    const double end = c.facts.end_wall_time();
    if (begin > 0 && !(run.first_wall_time <= begin)) run.first_wall_time = begin;
    if (end > 0 && !(run.last_wall_time >= end)) run.last_wall_time = end;
    run.size_bytes += c.stat.size;
    run.read_bytes += c.is_read_to_end ? c.stat.size : std::min(c.state.offset, c.stat.size);
    const bool is_open = c.state.open_damage != DamageReason::kNone && c.state.scan > c.state.offset;
    run.damage_count += c.facts.damage_count + (is_open ? 1 : 0);
    run.is_own = run.is_own || c.facts.source_writer == own_writer;

    const FileSeries* longest = nullptr;
    int64_t last_step = std::numeric_limits<int64_t>::min();
    for (const FileSeries& s : c.series) {
        if (s.form != Form::kScalar || s.rows.size() == 0) continue;
        run.points += s.rows.size();
        last_step = std::max(last_step, std::bit_cast<int64_t>(s.rows.column(0)[s.rows.size() - 1]));
        if (longest == nullptr || s.rows.size() > longest->rows.size()) longest = &s;
    }
    if (longest == nullptr || (run.has_step && end < newest)) return;
    newest = end;
    run.has_step = true;
    run.last_step = last_step;
    run.usual_gap_s = median_gap(reinterpret_cast<const double*>(longest->rows.column(1)), longest->rows.size());
}

bool is_earlier(const RunFacts& a, const RunFacts& b) {
    const auto start = [](const RunFacts& run) {
        return std::isnan(run.first_wall_time) ? std::numeric_limits<double>::infinity() : run.first_wall_time;
    };
    return start(a) != start(b) ? start(a) < start(b) : a.name < b.name;
}

// Collects tags run by run.
class TagCollector {
public:
    explicit TagCollector(const Tables& tables) : tables_(tables) {}

    void add(uint32_t run, const FileSeries& series, uint32_t metadata_id) {
        std::vector<size_t>& places = by_series_[series_key(series.tag_id, series.form)];
        const uint32_t plugin = plugin_of(metadata_id);
        const auto has_plugin = [&](size_t place) { return groups_[place].plugin == plugin; };
        auto at = std::find_if(places.begin(), places.end(), has_plugin);
        if (at == places.end()) {
            at = places.insert(places.end(), groups_.size());
            groups_.push_back({series.tag_id, series.form, plugin, {}, {}});
        }
        Group& group = groups_[*at];
        if (group.runs.empty() || group.runs.back() != run) group.runs.push_back(run);
        auto& known = group.metadata;
        if (metadata_id != kNoMetadata && known.size() < kMostMetadata &&
            std::find(known.begin(), known.end(), metadata_id) == known.end())
            known.push_back(metadata_id);
    }

    std::vector<TagFacts> take() {
        std::vector<TagFacts> out;
        out.reserve(groups_.size());
        for (Group& group : groups_) {
            TagFacts tag{tables_.tags.at(group.tag_id), group.form, plugins_[group.plugin], {}, std::move(group.runs)};
            for (const uint32_t id : group.metadata) tag.metadata.push_back(tables_.metadata.at(id));
            out.push_back(std::move(tag));
        }
        return out;
    }

private:
    struct Group {
        uint32_t tag_id;
        Form form;
        uint32_t plugin;
        std::vector<uint32_t> metadata;
        std::vector<uint32_t> runs;
    };

    uint32_t plugin_of(uint32_t metadata_id) {
        if (metadata_id == kNoMetadata) return 0;
        const auto [at, is_new] = plugin_of_metadata_.try_emplace(metadata_id, 0);
        if (is_new) {
            std::string name = printable_utf8(plugin_name(tables_.metadata.at(metadata_id)));
            const auto known = std::find(plugins_.begin(), plugins_.end(), name);
            at->second = static_cast<uint32_t>(known - plugins_.begin());
            if (known == plugins_.end()) plugins_.push_back(std::move(name));
        }
        return at->second;
    }

    const Tables& tables_;
    std::vector<std::string> plugins_{""};
    std::unordered_map<uint32_t, uint32_t> plugin_of_metadata_;
    std::unordered_map<uint64_t, std::vector<size_t>> by_series_;  // places in groups_, one per plugin
    std::vector<Group> groups_;
};

}  // namespace

std::vector<Index::RunFiles> Index::files_of_all() {
    std::vector<RunFiles> out;
    {
        std::lock_guard lock(mutex_);
        out.reserve(runs_.size());
        for (const auto& [name, run] : runs_) out.push_back({name, run.revision, run.files});
    }
    read_lost_again(out);
    return out;
}

std::vector<Index::RunFiles> Index::files_of(const std::vector<std::string>& runs) {
    std::vector<RunFiles> out;
    out.reserve(runs.size());
    {
        std::lock_guard lock(mutex_);
        for (const std::string& name : runs) {
            const auto at = runs_.find(name);
            if (at == runs_.end()) {
                out.push_back({name, 0, {}});
            } else {
                out.push_back({name, at->second.revision, at->second.files});
            }
        }
    }
    read_lost_again(out);
    return out;
}

void Index::read_lost_again(const std::vector<RunFiles>& runs) {
    for (const RunFiles& run : runs) read_again_if_lost(run.files);
}

std::vector<RunFacts> Index::run_table(const std::string& own_writer) {
    std::vector<RunFacts> table = facts_of(files_of_all(), own_writer);
    std::sort(table.begin(), table.end(), is_earlier);
    return table;
}

std::vector<RunFacts> Index::run_facts(const std::vector<std::string>& runs, const std::string& own_writer) {
    return facts_of(files_of(runs), own_writer);
}

std::vector<RunFacts> Index::facts_of(std::vector<RunFiles> runs, const std::string& own_writer) {
    std::vector<RunFacts> table;
    table.reserve(runs.size());
    for (RunFiles& run : runs) {
        if (run.files.empty()) continue;
        RunFacts facts;
        facts.name = std::move(run.name);
        facts.revision = run.revision;
        double newest = 0;
        for (const auto& file : run.files) {
            if (!file->error().empty()) ++facts.damage_count;
            file->with_content([&](const FileContent& c) { add_facts(facts, newest, c, own_writer); });
        }
        table.push_back(std::move(facts));
    }
    return table;
}

TagTable Index::tag_table(const std::string& own_writer) {
    std::vector<RunFiles> runs = files_of_all();
    std::vector<std::pair<double, RunFiles*>> ordered;  // as run_names orders them
    for (RunFiles& run : runs) {
        double first = std::numeric_limits<double>::infinity();
        for (const auto& file : run.files) {
            const double wall = file->with_facts([](const FileContent& c) { return c.facts.begin_wall_time(); });
            if (wall > 0) first = std::min(first, wall);
        }
        ordered.emplace_back(first, &run);
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

    TagTable table;
    TagCollector collector(tables_);
    std::unordered_map<uint32_t, uint32_t> metadata;  // the first per tag in the run
    for (const auto& [first, run] : ordered) {
        const auto number = static_cast<uint32_t>(table.runs.size());
        table.runs.push_back(run->name);
        metadata.clear();
        const bool is_single = run->files.size() == 1;
        if (!is_single) {
            for (const auto& file : run->files)
                file->with_content([&](const FileContent& c) {
                    for (const auto& [tag_id, m] : c.metadata) metadata.try_emplace(tag_id, m.metadata_id);
                });
        }
        for (const auto& file : run->files) {
            file->with_content([&](const FileContent& c) {
                const bool is_own = c.facts.source_writer == own_writer;
                for (const FileSeries& s : c.series) {
                    if (s.rows.size() == 0 || (is_own && s.form == Form::kLogMessage)) continue;
                    uint32_t metadata_id = kNoMetadata;
                    if (is_single) {
                        const auto found = c.metadata.find(s.tag_id);
                        if (found != c.metadata.end()) metadata_id = found->second.metadata_id;
                    } else {
                        const auto found = metadata.find(s.tag_id);
                        if (found != metadata.end()) metadata_id = found->second;
                    }
                    collector.add(number, s, metadata_id);
                }
            });
        }
    }
    table.tags = collector.take();
    return table;
}

std::vector<ScalarRows> Index::scalar_rows(const std::vector<std::string>& runs, const std::string& tag, XAxis x) {
    std::vector<ScalarRows> out(runs.size());
    const auto tag_id = tables_.tags.find(tag);
    if (!tag_id) return out;
    const std::vector<RunFiles> found = files_of(runs);
    const size_t column = x == XAxis::kStep ? 0 : 1;
    const auto is_sorted = [&](const FileSeries& s) {
        if (s.rows.size() < kLongSeries) return false;
        uint64_t& known = s.sorted_rows[column];
        const uint64_t* cells = s.rows.column(column);
        known = column == 0 ? sorted_rows(reinterpret_cast<const int64_t*>(cells), s.rows.size(), known)
                            : sorted_rows(reinterpret_cast<const double*>(cells), s.rows.size(), known);
        return known == s.rows.size();
    };
    for (size_t i = 0; i < found.size(); ++i) {
        ScalarRows& rows = out[i];
        size_t parts = 0;
        bool is_restarted = false;
        for (const auto& file : found[i].files) {
            file->with_content([&](const FileContent& c) {
                const FileSeries* s = c.find(*tag_id, Form::kScalar);
                if (s == nullptr || s->rows.size() == 0) {
                    is_restarted = is_restarted || !c.facts.starts.empty();  // may be a restart of the other file
                    return;
                }
                ++parts;
                is_restarted = is_restarted || !s->breaks.empty();
                rows.rows = s->rows.view();
                rows.is_sorted = is_sorted(*s);
            });
        }
        if (parts == 0) continue;
        rows.state = parts == 1 && !is_restarted ? ScalarState::kPlain : ScalarState::kBranching;
        if (rows.state == ScalarState::kBranching) rows.rows = {};
    }
    return out;
}

}  // namespace sightline
