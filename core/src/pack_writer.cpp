// Writes one pack: columns as they come, then the directory, then the header; the file appears when all is there.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "pack_entry.hpp"
#include "sightline/pack.hpp"

namespace sightline {
namespace {

// A file that appears under its name only when it is complete.
class NewFile {
public:
    explicit NewFile(const std::string& directory) {
        static std::atomic<uint64_t> counter{0};
        unique_ = directory + "/" + std::to_string(now_ns()) + "-" + std::to_string(getpid()) + "-" +
                  std::to_string(counter++);
        temporary_ = unique_ + ".tmp";
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
    void finish(const PackHeader& header) {
        flush();
        if (::pwrite(fd_, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header))) fail();
        path_ =
            is_marked_untouched(header.written_ns) ? pack_name(unique_, inode_) : unique_ + std::string(kPackSuffix);
        if (::close(std::exchange(fd_, -1)) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
        is_published_ = true;
    }
    const std::string& path() const { return path_; }

private:
    static constexpr size_t kBufferBytes = 1 << 20;
    // No fsync: on a busy disk it takes a minute, and closing a log would wait for it. A crash is noticed by the boot id; a
    // disk that loses what it was given, while the system stays up, is not.
    bool is_marked_untouched(int64_t written_ns) {
        const int64_t mtime_ns = pack_mtime_ns(written_ns);
        struct timespec times[2];
        times[0] =
            times[1] = {static_cast<time_t>(mtime_ns / 1'000'000'000), static_cast<long>(mtime_ns % 1'000'000'000)};
        struct stat s;
        if (::futimens(fd_, times) != 0 || ::fstat(fd_, &s) != 0) return false;
        inode_ = s.st_ino;
        return true;
    }
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
    std::string unique_;
    std::string path_;
    std::string temporary_;
    std::string buffer_;
    uint64_t size_ = 0;
    uint64_t inode_ = 0;
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
        const PackHeader empty{};
        file_.write(&empty, sizeof(empty));
    }

    void add(const std::shared_ptr<EventFile>& file) {
        // Views keep the rows alive: nobody has to wait while they are written.
        struct Snapshot {
            FileContent content;  // without rows
            std::vector<RowView> rows;
        } snapshot;
        file->with_content([&](const FileContent& c) {
            snapshot.content.stat = c.stat;
            snapshot.content.is_read_to_end = c.is_read_to_end;
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
        entries_.put_text(file->path);
        entries_.put_text(file->run);
        entries_.put(static_cast<uint8_t>(file->is_stream));
        entries_.put_text(entry.bytes());
        ++file_count_;
        saved_.emplace_back(file, snapshot.content.state.offset);
    }

    void add(const std::string& path, const DirectoryListing& listing) {
        if (!listing.is_complete) return;
        listings_.put_text(path);
        put_listing(listings_, listing);
        ++listing_count_;
    }

    WrittenPack finish() {
        ByteWriter directory;
        tags_.put(directory);
        metadata_.put(directory);
        directory.put(file_count_);
        directory.put_raw(entries_.bytes().data(), entries_.bytes().size());
        directory.put(listing_count_);
        directory.put_raw(listings_.bytes().data(), listings_.bytes().size());
        PackHeader h{};
        std::memcpy(h.magic, kPackMagic, sizeof(kPackMagic));
        h.version = kPackVersion;
        h.byte_order = kPackByteOrder;
        h.directory_offset = file_.size();
        h.directory_size = directory.bytes().size();
        h.total_size = h.directory_offset + h.directory_size;
        h.written_ns = now_ns();
        h.directory_crc = crc32c(directory.bytes().data(), directory.bytes().size());
        h.header_crc = header_crc(h);
        file_.write(directory.bytes().data(), directory.bytes().size());
        file_.finish(h);
        return {file_.path(), std::move(saved_)};
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
    std::vector<std::pair<std::shared_ptr<EventFile>, uint64_t>> saved_;
};

}  // namespace

WrittenPack write_pack(const std::string& directory, const Tables& tables,
                       const std::vector<std::shared_ptr<EventFile>>& files, const KnownDirectories& listings) {
    PackWriter writer(directory, tables);
    for (const auto& file : files) writer.add(file);
    for (const auto& [path, listing] : listings) writer.add(path, *listing);
    return writer.finish();
}

}  // namespace sightline
