#include "sightline/pack.hpp"

#include <dirent.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "pack_entry.hpp"

namespace sightline {
namespace {

// When a save makes one new pack of all: too many of them, or much of what they hold is superseded.
constexpr size_t kMaxPacks = 8;
constexpr uint64_t kMaxDeadBytes = 16 << 20;

}  // namespace

// A mapped pack. Being the storage of the rows that point into it, it stays mapped as long as any of them lives.
class Pack final : public Storage {
public:
    ~Pack() override {
        if (data_ != nullptr) munmap(const_cast<uint8_t*>(data_), size_);
    }

    bool open(const std::string& path);
    const PackHeader& header() const { return *reinterpret_cast<const PackHeader*>(data_); }
    const uint8_t* data() const { return data_; }
    uint64_t size() const { return size_; }
    bool is_untouched() const { return is_untouched_; }
    ByteReader directory() const { return {data_ + header().directory_offset, header().directory_size}; }

    std::string path;
    std::vector<uint32_t> tag_ids;  // number in the pack -> number in the tables
    std::vector<uint32_t> metadata_ids;

private:
    const uint8_t* data_ = nullptr;
    size_t size_ = 0;
    bool is_untouched_ = false;
};

bool Pack::open(const std::string& pack_path) {
    path = pack_path;
    File file;
    if (!file.open(path).empty() || file.size() < sizeof(PackHeader)) return false;
    size_ = static_cast<size_t>(file.size());
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.descriptor(), 0);
    if (mapped == MAP_FAILED) return false;
    data_ = static_cast<const uint8_t*>(mapped);
    const PackHeader& h = header();
    is_untouched_ = is_untouched_pack(path, file.stat(), h.written_ns);
    return std::memcmp(h.magic, kPackMagic, sizeof(kPackMagic)) == 0 && h.version == kPackVersion &&
           h.byte_order == kPackByteOrder && h.header_crc == header_crc(h) && h.total_size == size_ &&
           h.directory_offset <= size_ && h.directory_size <= size_ - h.directory_offset &&
           crc32c(data_ + h.directory_offset, h.directory_size) == h.directory_crc;
}

namespace {

// Series of one file, waiting in a pack until somebody looks.
class PackedSeries final : public ContentSource {
public:
    PackedSeries(std::shared_ptr<Pack> pack, ByteReader reader, DataPlace place)
        : pack_(std::move(pack)), reader_(reader), place_(std::move(place)) {}

    bool fill(FileContent& content) override {
        if (place_.offset > pack_->size() || place_.size > pack_->size() - place_.offset || place_.offset % 8 != 0)
            return false;
        if (!pack_->is_untouched() && !is_intact(pack_->data() + place_.offset, place_)) return false;
        uint64_t cells_left = place_.size / 8;
        auto* at = reinterpret_cast<uint64_t*>(const_cast<uint8_t*>(pack_->data() + place_.offset));
        for (uint32_t n = reader_.get<uint32_t>(); n > 0 && reader_.is_good(); --n) {
            FileSeries series;
            if (!translate(pack_->tag_ids, series.tag_id)) return false;
            series.form = reader_.get<Form>();
            series.epoch = reader_.get<uint32_t>();
            const auto rows = reader_.get<uint64_t>();
            if (static_cast<size_t>(series.form) >= kFormCount) return false;
            for (uint32_t k = reader_.get<uint32_t>(); k > 0 && reader_.is_good(); --k)
                series.breaks.push_back(reader_.get<Break>());
            const size_t columns = column_count(series.form);
            if (rows > cells_left / columns) return false;
            std::array<uint64_t*, kMaxColumns> column{};
            for (size_t i = 0; i < columns; ++i, at += rows) column[i] = at;
            cells_left -= rows * columns;
            series.rows.adopt(pack_, column, rows);
            content.series.push_back(std::move(series));
        }
        for (uint32_t n = reader_.get<uint32_t>(); n > 0 && reader_.is_good(); --n) {
            uint32_t tag_id;
            TagMetadata metadata;
            if (!translate(pack_->tag_ids, tag_id) || !translate(pack_->metadata_ids, metadata.metadata_id))
                return false;
            metadata.is_plain = reader_.get<uint8_t>() != 0;
            content.metadata.emplace(tag_id, metadata);
        }
        return reader_.is_good();
    }

private:
    bool translate(const std::vector<uint32_t>& table, uint32_t& id) {
        const auto local = reader_.get<uint32_t>();
        if (local >= table.size()) return false;
        id = table[local];
        return true;
    }

    std::shared_ptr<Pack> pack_;
    ByteReader reader_;
    DataPlace place_;
};

}  // namespace

uint64_t PackSet::load(const std::string& directory, KnownDirectories& listings) {
    std::vector<std::string> names;
    if (DIR* dir = opendir(directory.c_str())) {
        while (const dirent* entry = readdir(dir))
            if (std::string_view(entry->d_name).ends_with(kPackSuffix)) names.emplace_back(entry->d_name);
        closedir(dir);
    }
    std::sort(names.begin(), names.end());  // names begin with the time of writing: later ones win
    for (const std::string& name : names) {
        auto pack = std::make_shared<Pack>();
        if (pack->open(directory + "/" + name)) take(std::move(pack), listings);
    }
    return entries_.size();
}

void PackSet::take(std::shared_ptr<Pack> pack, KnownDirectories& listings) {
    ByteReader r = pack->directory();
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n)
        pack->tag_ids.push_back(tables_.tags.intern(r.get_text()));
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n)
        pack->metadata_ids.push_back(tables_.metadata.intern(r.get_text()));
    const auto file_count = r.get<uint32_t>();
    entries_.reserve(entries_.size() + file_count);
    for (uint32_t n = file_count; n > 0 && r.is_good(); --n) {
        const std::string_view path = r.get_text();
        const std::string_view run = r.get_text();
        const bool is_stream = r.get<uint8_t>() != 0;
        const std::string_view entry = r.get_text();
        if (!r.is_good()) break;
        const auto offset = static_cast<uint64_t>(reinterpret_cast<const uint8_t*>(entry.data()) - pack->data());
        entries_.insert_or_assign(std::string(path), Entry{pack, offset, entry.size(), run, is_stream});
    }
    const auto listing_count = r.get<uint32_t>();
    listings.reserve(listings.size() + listing_count);
    for (uint32_t n = listing_count; n > 0 && r.is_good(); --n) {
        std::string path(r.get_text());
        auto listing = std::make_shared<DirectoryListing>();
        get_listing(r, *listing);
        if (r.is_good()) listings.insert_or_assign(std::move(path), std::move(listing));
    }
    packs_.push_back(std::move(pack));
}

bool PackSet::find(const std::string& path, Found& out) const {
    const auto at = entries_.find(path);
    if (at == entries_.end()) return false;
    const Entry& entry = at->second;
    ByteReader r(entry.pack->data() + entry.offset, entry.size);
    get_facts(r, out.content);
    DataPlace place = get_place(r);
    if (!r.is_good()) return false;
    const FileStat& stat = out.content.stat;
    out.is_settled = is_settled(stat, entry.pack->header().written_ns);
    out.lazy = std::make_unique<PackedSeries>(entry.pack, r, std::move(place));
    return true;
}

bool PackSet::is_worth_merging() const {
    uint64_t total = 0;
    for (const auto& pack : packs_) total += pack->size();
    uint64_t live = 0;
    for (const auto& [path, entry] : entries_) live += entry.size + data_size(entry);
    return packs_.size() >= kMaxPacks || total - std::min(total, live) > live / 2 + kMaxDeadBytes;
}

uint64_t PackSet::add(const std::string& path, bool holds_everything) {
    if (holds_everything) {
        for (const auto& pack : packs_) ::unlink(pack->path.c_str());
        packs_.clear();
        entries_.clear();
    }
    auto pack = std::make_shared<Pack>();
    if (!pack->open(path)) return 0;
    const uint64_t size = pack->size();
    KnownDirectories already_known;
    take(std::move(pack), already_known);
    return size;
}

uint64_t PackSet::data_size(const Entry& entry) const {
    ByteReader r(entry.pack->data() + entry.offset, entry.size);
    FileContent content;
    get_facts(r, content);
    return get_place(r).size;
}

}  // namespace sightline
