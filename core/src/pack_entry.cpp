#include "pack_entry.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>

namespace sightline {
namespace {

constexpr int64_t kBackdatedNs = 10'000'000'000;

// Tells one start of the system from another; empty where that cannot be known.
const std::string& boot_name() {
    static const std::string name = [] {
        std::string text;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
        std::erase(text, '-');
        return text;
    }();
    return name;
}

std::string name_end(uint64_t inode) {
    std::string end = std::to_string(inode);
    end.insert(end.begin(), '-');
    end.push_back('-');
    return end.append(boot_name()).append(kPackSuffix);
}

}  // namespace

std::string pack_name(const std::string& unique, uint64_t inode) { return unique + name_end(inode); }

int64_t pack_mtime_ns(int64_t written_ns) { return written_ns - kBackdatedNs; }

bool is_untouched_pack(const std::string& path, const FileStat& stat, int64_t written_ns) {
    return !boot_name().empty() && path.ends_with(name_end(stat.inode)) && stat.mtime_ns == pack_mtime_ns(written_ns);
}

bool is_intact(const uint8_t* data, const DataPlace& place) {
    const uint64_t pieces = (place.size + kCheckedBytes - 1) / kCheckedBytes;
    if (place.crcs.size() != pieces) return false;
    std::atomic<uint64_t> next{0};
    std::atomic<bool> is_good{true};
    const auto verify = [&] {
        for (uint64_t i = next++; i < pieces && is_good; i = next++) {
            const uint64_t at = i * kCheckedBytes;
            if (crc32c(data + at, std::min(kCheckedBytes, place.size - at)) != place.crcs[i]) is_good = false;
        }
    };
    std::vector<std::thread> team;
    const uint64_t helpers = std::min<uint64_t>(pieces / 4, std::max(1U, std::thread::hardware_concurrency()) - 1);
    for (uint64_t i = 0; i < helpers; ++i) team.emplace_back(verify);
    verify();
    for (std::thread& thread : team) thread.join();
    return is_good;
}

void put_place(ByteWriter& w, const DataPlace& place) {
    w.put(place.offset);
    w.put(place.size);
    w.put(static_cast<uint32_t>(place.crcs.size()));
    for (const uint32_t crc : place.crcs) w.put(crc);
}

DataPlace get_place(ByteReader& r) {
    DataPlace place;
    place.offset = r.get<uint64_t>();
    place.size = r.get<uint64_t>();
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) place.crcs.push_back(r.get<uint32_t>());
    return place;
}

void put_facts(ByteWriter& w, const FileContent& c) {
    w.put(c.stat);
    w.put(static_cast<uint8_t>(c.is_read_to_end));
    w.put(c.state.offset);
    w.put(c.state.open_damage);
    w.put(c.state.scan);
    w.put(c.state.last_record);
    w.put(c.state.last_header);
    w.put(c.state.last_checksum);
    w.put(c.state.wasted_bytes);
    w.put(c.head);
    w.put(c.facts.record_count);
    w.put(c.facts.created_wall_time);
    w.put(c.facts.first_wall_time);
    w.put(c.facts.last_wall_time);
    w.put_text(c.facts.file_version);
    w.put_text(c.facts.source_writer);
    w.put(static_cast<uint32_t>(c.facts.starts.size()));
    for (const SessionStart& s : c.facts.starts) w.put(s);
    w.put(static_cast<uint32_t>(c.facts.damage.size()));
    for (const Damage& d : c.facts.damage) {
        w.put(d.offset);
        w.put(d.length);
        w.put(d.reason);
    }
    w.put(c.facts.damage_count);
    w.put(c.facts.skipped_bytes);
}

void get_facts(ByteReader& r, FileContent& c) {
    c.stat = r.get<FileStat>();
    c.is_read_to_end = r.get<uint8_t>() != 0;
    c.state.offset = r.get<uint64_t>();
    c.state.open_damage = r.get<DamageReason>();
    c.state.scan = r.get<uint64_t>();
    c.state.last_record = r.get<uint64_t>();
    c.state.last_header = r.get<decltype(c.state.last_header)>();
    c.state.last_checksum = r.get<uint32_t>();
    c.state.wasted_bytes = r.get<uint64_t>();
    c.head = r.get<Head>();
    if (c.head.size > c.head.bytes.size()) r.reject();
    c.facts.record_count = r.get<uint64_t>();
    c.facts.created_wall_time = r.get<double>();
    c.facts.first_wall_time = r.get<double>();
    c.facts.last_wall_time = r.get<double>();
    c.facts.file_version = r.get_text();
    c.facts.source_writer = r.get_text();
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) c.facts.starts.push_back(r.get<SessionStart>());
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) {
        Damage d;
        d.offset = r.get<uint64_t>();
        d.length = r.get<uint64_t>();
        d.reason = r.get<DamageReason>();
        c.facts.damage.push_back(d);
    }
    c.facts.damage_count = r.get<uint64_t>();
    c.facts.skipped_bytes = r.get<uint64_t>();
}

namespace {

void put_names(ByteWriter& w, const std::vector<std::string>& names) {
    w.put(static_cast<uint32_t>(names.size()));
    for (const std::string& name : names) w.put_text(name);
}

void get_names(ByteReader& r, std::vector<std::string>& names) {
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) names.emplace_back(r.get_text());
}

}  // namespace

void put_listing(ByteWriter& w, const DirectoryListing& listing) {
    w.put(listing.stat);
    w.put(listing.listed_ns);
    put_names(w, listing.events);
    put_names(w, listing.directories);
    put_names(w, listing.links);
}

void get_listing(ByteReader& r, DirectoryListing& listing) {
    listing.stat = r.get<FileStat>();
    listing.listed_ns = r.get<int64_t>();
    get_names(r, listing.events);
    get_names(r, listing.directories);
    get_names(r, listing.links);
}

}  // namespace sightline
