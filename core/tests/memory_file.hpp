// A file in memory that can grow, and everything read from it in a form that compares.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "sightline/segmented_read.hpp"

struct MemoryFile final : sightline::Source {
    std::string data;
    bool is_all = true;
    uint64_t fails_at = ~uint64_t{0};  // reads end here, as on a bad disk
    uint64_t size() const override { return data.size(); }
    bool is_whole() const override { return is_all; }
    size_t read(uint64_t offset, uint8_t* out, size_t size) override {
        const uint64_t end = std::min<uint64_t>(data.size(), fails_at);
        if (offset >= end) return 0;
        const size_t n = std::min<size_t>(size, end - offset);
        std::memcpy(out, data.data() + offset, n);
        return n;
    }
};

// Reads one file in whatever way, and tells everything about it as one string.
struct Reading {
    sightline::Tables tables;
    sightline::EventFile file{0, "memory", "run", false, tables};
    std::atomic<bool> is_stopped{false};

    void read(sightline::Source& source) {
        sightline::FileStat stat;
        stat.size = source.size();
        sightline::Workspace workspace;  // a new one each time: nothing may depend on what it has seen before
        const bool is_read_to_end = sightline::read_in_order(
            file, source, file.begin(source, stat), workspace, [](const auto&, uint64_t) {}, is_stopped);
        file.end(is_read_to_end);
    }

    void read_in_segments(sightline::Source& source, uint64_t segment_bytes, unsigned threads) {
        sightline::FileStat stat;
        stat.size = source.size();
        sightline::SegmentedRead shared(
            file, source, file.begin(source, stat), [](const auto&, uint64_t) {}, is_stopped, segment_bytes);
        if (threads == 1) {
            sightline::Workspace own;
            shared.help(own);
            file.end(shared.is_read_to_end(), shared.error());
            return;
        }
        std::vector<std::thread> team;
        for (unsigned i = 0; i < threads; ++i)
            team.emplace_back([&] {
                sightline::Workspace own;
                shared.help(own);
            });
        for (std::thread& thread : team) thread.join();
        file.end(shared.is_read_to_end(), shared.error());
    }

    // `with_damage` off: only what was read, not how often the search for it was interrupted.
    std::string everything(bool with_damage = true) {
        std::ostringstream out;
        file.with_content([&](const sightline::FileContent& c) {
            std::map<std::pair<std::string, int>, std::string> series;
            for (const auto& s : c.series) {
                std::ostringstream rows;
                for (size_t r = 0; r < s.rows.size(); ++r) {
                    for (size_t k = 0; k < sightline::column_count(s.form); ++k) rows << s.rows.column(k)[r] << ",";
                    rows << ";";
                }
                for (const auto& b : s.breaks)
                    rows << "break " << b.row << "," << b.start_step << "," << b.start_wall_time << ";";
                series[{tables.tags.at(s.tag_id), static_cast<int>(s.form)}] = rows.str();
            }
            for (const auto& [key, rows] : series) out << key.first << "/" << key.second << ": " << rows << "\n";
            std::map<std::string, std::string> metadata;
            for (const auto& [tag, m] : c.metadata) metadata[tables.tags.at(tag)] = tables.metadata.at(m.metadata_id);
            for (const auto& [tag, m] : metadata) out << "metadata " << tag << " " << m << "\n";
            out << "records " << c.facts.record_count << " at " << c.state.offset << " last " << c.state.last_record
                << " wall " << c.facts.first_wall_time << ".." << c.facts.last_wall_time << " starts "
                << c.facts.starts.size() << "\n";
            if (!with_damage) return;
            out << "damage " << c.facts.damage_count << " bytes " << c.facts.skipped_bytes << ":";
            for (const auto& d : c.facts.damage)
                out << " " << d.offset << "+" << d.length << " " << sightline::damage_text(d.reason);
            out << " open " << static_cast<int>(c.state.open_damage) << "\n";
        });
        return out.str();
    }

    // Steps of a scalar series.
    std::vector<int64_t> steps(const std::string& tag) {
        std::vector<int64_t> out;
        file.with_content([&](const sightline::FileContent& c) {
            for (const auto& s : c.series)
                if (tables.tags.at(s.tag_id) == tag && s.form == sightline::Form::kScalar)
                    for (size_t r = 0; r < s.rows.size(); ++r)
                        out.push_back(std::bit_cast<int64_t>(s.rows.column(0)[r]));
        });
        return out;
    }
    sightline::FileFacts facts() {
        return file.with_content([](const sightline::FileContent& c) { return c.facts; });
    }
    sightline::ReadState state() {
        return file.with_content([](const sightline::FileContent& c) { return c.state; });
    }
};

inline std::string everything_in(const std::string& data) {
    MemoryFile source;
    source.data = data;
    Reading reading;
    reading.read(source);
    return reading.everything();
}
