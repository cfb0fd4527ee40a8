#include "sightline/pack.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "pack_codec.hpp"
#include "sightline/crc32c.hpp"

namespace sightline {
namespace {

constexpr char kMagic[8] = {'S', 'L', 'P', 'A', 'C', 'K', '\r', '\n'};
// Raised whenever the layout or the meaning of what is stored changes; packs of other versions are ignored.
constexpr uint32_t kVersion = 3;
constexpr uint32_t kByteOrder = 0x01020304;
constexpr std::string_view kSuffix = ".pack";
constexpr size_t kMaxPacks = 8;
constexpr uint64_t kMaxDeadBytes = 16 << 20;

struct Header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t directory_offset;
    uint64_t directory_size;
    uint64_t total_size;
    int64_t written_ns;
    uint32_t directory_crc;
    uint32_t header_crc;  // of everything before it
};
static_assert(sizeof(Header) == 56);

uint32_t header_crc(const Header& h) { return crc32c(&h, offsetof(Header, header_crc)); }

}  // namespace

// A mapped pack. Being the storage of the rows that point into it, it stays mapped as long as any of them lives.
class Pack final : public Storage {
public:
    ~Pack() override {
        if (data_ != nullptr) munmap(const_cast<uint8_t*>(data_), size_);
    }

    bool open(const std::string& path);
    const Header& header() const { return *reinterpret_cast<const Header*>(data_); }
    const uint8_t* data() const { return data_; }
    uint64_t size() const { return size_; }
    ByteReader directory() const { return {data_ + header().directory_offset, header().directory_size}; }

    std::string path;
    std::vector<uint32_t> tag_ids;  // number in the pack -> number in the tables
    std::vector<uint32_t> metadata_ids;

private:
    const uint8_t* data_ = nullptr;
    size_t size_ = 0;
};

bool Pack::open(const std::string& pack_path) {
    path = pack_path;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    struct stat s;
    if (fstat(fd, &s) != 0 || static_cast<uint64_t>(s.st_size) < sizeof(Header)) {
        ::close(fd);
        return false;
    }
    size_ = static_cast<size_t>(s.st_size);
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd, 0);
    ::close(fd);
    if (mapped == MAP_FAILED) return false;
    data_ = static_cast<const uint8_t*>(mapped);
    const Header& h = header();
    return std::memcmp(h.magic, kMagic, sizeof(kMagic)) == 0 && h.version == kVersion && h.byte_order == kByteOrder &&
           h.header_crc == header_crc(h) && h.total_size == size_ && h.directory_offset <= size_ &&
           h.directory_size <= size_ - h.directory_offset &&
           crc32c(data_ + h.directory_offset, h.directory_size) == h.directory_crc;
}

// ---------------------------------------------------------------- one file's entry in the directory

namespace {

struct DataPlace {
    uint64_t offset = 0;
    uint64_t size = 0;
    std::vector<uint32_t> crcs;  // one for each kCheckedBytes, so that large columns are verified by several threads
};
constexpr uint64_t kCheckedBytes = 4 << 20;

// Checksums of a stream of bytes, cut every kCheckedBytes.
class PieceChecksums {
public:
    void add(const void* data, size_t size) {
        const auto* p = static_cast<const uint8_t*>(data);
        while (size > 0) {
            if (filled_ == 0) crcs.push_back(0);
            const auto n = static_cast<size_t>(std::min<uint64_t>(size, kCheckedBytes - filled_));
            crcs.back() = crc32c(p, n, crcs.back());
            filled_ = (filled_ + n) % kCheckedBytes;
            p += n;
            size -= n;
        }
    }
    std::vector<uint32_t> crcs;

private:
    uint64_t filled_ = 0;
};

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
    c.state.offset = r.get<uint64_t>();
    c.state.open_damage = r.get<DamageReason>();
    c.state.scan = r.get<uint64_t>();
    c.state.last_record = r.get<uint64_t>();
    c.state.last_header = r.get<decltype(c.state.last_header)>();
    c.state.last_checksum = r.get<uint32_t>();
    c.state.wasted_bytes = r.get<uint64_t>();
    c.head = r.get<Head>();
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

void put_names(ByteWriter& w, const std::vector<std::string>& names) {
    w.put(static_cast<uint32_t>(names.size()));
    for (const std::string& name : names) w.put_text(name);
}

void get_names(ByteReader& r, std::vector<std::string>& names) {
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) names.emplace_back(r.get_text());
}

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

// Series of one file, waiting in a pack until somebody looks.
class PackedSeries final : public ContentSource {
public:
    PackedSeries(std::shared_ptr<Pack> pack, ByteReader reader, DataPlace place)
        : pack_(std::move(pack)), reader_(reader), place_(std::move(place)) {}

    bool fill(FileContent& content) override {
        if (place_.offset > pack_->size() || place_.size > pack_->size() - place_.offset || place_.offset % 8 != 0)
            return false;
        if (!is_intact(pack_->data() + place_.offset, place_)) return false;
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

// ---------------------------------------------------------------- loading

uint64_t PackSet::load(const std::string& directory, KnownDirectories& listings) {
    std::vector<std::string> names;
    if (DIR* dir = opendir(directory.c_str())) {
        while (const dirent* entry = readdir(dir))
            if (std::string_view(entry->d_name).ends_with(kSuffix)) names.emplace_back(entry->d_name);
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
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) {
        const std::string_view path = r.get_text();
        const std::string_view run = r.get_text();
        const bool is_stream = r.get<uint8_t>() != 0;
        const std::string_view entry = r.get_text();
        if (!r.is_good()) break;
        const auto offset = static_cast<uint64_t>(reinterpret_cast<const uint8_t*>(entry.data()) - pack->data());
        entries_.insert_or_assign(std::string(path), Entry{pack, offset, entry.size(), run, is_stream});
    }
    for (uint32_t n = r.get<uint32_t>(); n > 0 && r.is_good(); --n) {
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

// ---------------------------------------------------------------- saving

namespace {

// A file that appears under its name only when it is complete.
class NewFile {
public:
    explicit NewFile(const std::string& directory) {
        static std::atomic<uint64_t> counter{0};
        const std::string unique =
            std::to_string(now_ns()) + "-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
        path_ = directory + "/" + unique + std::string(kSuffix);
        temporary_ = directory + "/" + unique + ".tmp";
        fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot write the cache");
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() {
        if (fd_ >= 0) ::close(fd_);
        if (!is_published_) ::unlink(temporary_.c_str());
    }
    void write(const void* data, size_t size) {
        const auto* p = static_cast<const char*>(data);
        if (buffer_.size() + size > kBufferBytes) flush();
        if (size >= kBufferBytes) {
            write_out(p, size);
        } else {
            buffer_.append(p, size);
        }
        size_ += size;
    }
    uint64_t size() const { return size_; }
    void finish(const Header& header) {
        flush();
        if (::pwrite(fd_, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header))) fail();
        if (::close(std::exchange(fd_, -1)) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
        is_published_ = true;
    }
    const std::string& path() const { return path_; }

private:
    static constexpr size_t kBufferBytes = 1 << 20;
    [[noreturn]] void fail() { throw std::system_error(errno, std::generic_category(), "cannot write the cache"); }
    void flush() {
        write_out(buffer_.data(), buffer_.size());
        buffer_.clear();
    }
    void write_out(const char* p, size_t size) {
        while (size > 0) {
            const ssize_t n = ::write(fd_, p, size);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) fail();
            p += n;
            size -= static_cast<size_t>(n);
        }
    }
    std::string path_;
    std::string temporary_;
    std::string buffer_;
    uint64_t size_ = 0;
    int fd_ = -1;
    bool is_published_ = false;
};

// Numbers that tags get inside one pack.
class LocalTable {
public:
    explicit LocalTable(const Interner& global) : global_(global) {}
    uint32_t number(uint32_t id) {
        const auto [at, is_new] = numbers_.try_emplace(id, static_cast<uint32_t>(ids_.size()));
        if (is_new) ids_.push_back(id);
        return at->second;
    }
    void put(ByteWriter& w) const {
        w.put(static_cast<uint32_t>(ids_.size()));
        for (const uint32_t id : ids_) w.put_text(global_.at(id));
    }

private:
    const Interner& global_;
    std::unordered_map<uint32_t, uint32_t> numbers_;
    std::vector<uint32_t> ids_;
};

class PackWriter {
public:
    PackWriter(const std::string& directory, const Tables& tables)
        : file_(directory), tags_(tables.tags), metadata_(tables.metadata) {
        const Header empty{};
        file_.write(&empty, sizeof(empty));
    }

    void add(EventFile& file) {
        // Views keep the rows alive: nobody has to wait while they are written.
        struct Snapshot {
            FileContent content;  // without rows
            std::vector<RowView> rows;
        } snapshot;
        file.with_content([&](const FileContent& c) {
            snapshot.content.stat = c.stat;
            snapshot.content.state = c.state;
            snapshot.content.head = c.head;
            snapshot.content.facts = c.facts;
            snapshot.content.metadata = c.metadata;
            for (const FileSeries& s : c.series) {
                FileSeries header;
                header.tag_id = s.tag_id;
                header.form = s.form;
                header.epoch = s.epoch;
                header.breaks = s.breaks;
                snapshot.content.series.push_back(std::move(header));
                snapshot.rows.push_back(s.rows.view());
            }
        });
        if (snapshot.content.state.offset == 0) return;
        DataPlace place{file_.size(), 0, {}};
        PieceChecksums checksums;
        for (size_t i = 0; i < snapshot.rows.size(); ++i) {
            const size_t bytes = snapshot.rows[i].size * sizeof(uint64_t);
            for (size_t k = 0; k < column_count(snapshot.content.series[i].form); ++k) {
                checksums.add(snapshot.rows[i].column[k], bytes);
                file_.write(snapshot.rows[i].column[k], bytes);
            }
        }
        place.size = file_.size() - place.offset;
        place.crcs = std::move(checksums.crcs);
        ByteWriter entry;
        put_facts(entry, snapshot.content);
        put_place(entry, place);
        put_series(entry, snapshot.content, snapshot.rows);
        entries_.put_text(file.path);
        entries_.put_text(file.run);
        entries_.put(static_cast<uint8_t>(file.is_stream));
        entries_.put_text(entry.bytes());
        ++file_count_;
        saved_.emplace_back(&file, snapshot.content.state.offset);
    }

    void add(const std::string& path, const DirectoryListing& listing) {
        if (!listing.is_complete) return;
        listings_.put_text(path);
        put_listing(listings_, listing);
        ++listing_count_;
    }

    // Returns the number of bytes; `path` is where they are.
    uint64_t finish(std::string& path) {
        ByteWriter directory;
        tags_.put(directory);
        metadata_.put(directory);
        directory.put(file_count_);
        directory.put_raw(entries_.bytes().data(), entries_.bytes().size());
        directory.put(listing_count_);
        directory.put_raw(listings_.bytes().data(), listings_.bytes().size());
        Header h{};
        std::memcpy(h.magic, kMagic, sizeof(kMagic));
        h.version = kVersion;
        h.byte_order = kByteOrder;
        h.directory_offset = file_.size();
        h.directory_size = directory.bytes().size();
        h.total_size = h.directory_offset + h.directory_size;
        h.written_ns = now_ns();
        h.directory_crc = crc32c(directory.bytes().data(), directory.bytes().size());
        h.header_crc = header_crc(h);
        file_.write(directory.bytes().data(), directory.bytes().size());
        file_.finish(h);
        for (const auto& [file, offset] : saved_) file->saved_offset = offset;
        path = file_.path();
        return h.total_size;
    }

private:
    void put_series(ByteWriter& w, const FileContent& c, const std::vector<RowView>& rows) {
        w.put(static_cast<uint32_t>(c.series.size()));
        for (size_t i = 0; i < c.series.size(); ++i) {
            const FileSeries& s = c.series[i];
            w.put(tags_.number(s.tag_id));
            w.put(s.form);
            w.put(s.epoch);
            w.put(static_cast<uint64_t>(rows[i].size));
            w.put(static_cast<uint32_t>(s.breaks.size()));
            for (const Break& b : s.breaks) w.put(b);
        }
        w.put(static_cast<uint32_t>(c.metadata.size()));
        for (const auto& [tag_id, m] : c.metadata) {
            w.put(tags_.number(tag_id));
            w.put(metadata_.number(m.metadata_id));
            w.put(static_cast<uint8_t>(m.is_plain));
        }
    }

    NewFile file_;
    LocalTable tags_;
    LocalTable metadata_;
    ByteWriter entries_;
    uint32_t file_count_ = 0;
    ByteWriter listings_;
    uint32_t listing_count_ = 0;
    std::vector<std::pair<EventFile*, uint64_t>> saved_;
};

}  // namespace

uint64_t PackSet::save(const std::string& directory, const std::vector<std::shared_ptr<EventFile>>& changed,
                       const std::vector<std::shared_ptr<EventFile>>& all, const KnownDirectories& listings) {
    uint64_t total = 0;
    for (const auto& pack : packs_) total += pack->size();
    uint64_t live = 0;
    for (const auto& [path, entry] : entries_) live += entry.size + data_size(entry);
    const bool is_merge = packs_.size() >= kMaxPacks || total > 2 * live + kMaxDeadBytes;
    const auto& files = is_merge ? all : changed;
    if (files.empty() && !is_merge) return 0;

    PackWriter writer(directory, tables_);
    for (const auto& file : files) writer.add(*file);
    for (const auto& [log_directory, listing] : listings) writer.add(log_directory, *listing);
    std::string path;
    const uint64_t written = writer.finish(path);
    if (is_merge) {
        for (const auto& pack : packs_) ::unlink(pack->path.c_str());
        packs_.clear();
        entries_.clear();
    }
    auto pack = std::make_shared<Pack>();
    KnownDirectories already_known;
    if (pack->open(path)) take(std::move(pack), already_known);
    return written;
}

uint64_t PackSet::data_size(const Entry& entry) const {
    ByteReader r(entry.pack->data() + entry.offset, entry.size);
    FileContent content;
    get_facts(r, content);
    return get_place(r).size;
}

}  // namespace sightline
