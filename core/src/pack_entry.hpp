// What stands in a pack: its header, and the entries of its directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pack_codec.hpp"
#include "sightline/crc32c.hpp"
#include "sightline/event_file.hpp"

namespace sightline {

inline constexpr char kPackMagic[8] = {'S', 'L', 'P', 'A', 'C', 'K', '\r', '\n'};
// Raised whenever the layout or the meaning of what is stored changes; packs of other versions are ignored.
inline constexpr uint32_t kPackVersion = 4;
inline constexpr uint32_t kPackByteOrder = 0x01020304;
inline constexpr std::string_view kPackSuffix = ".pack";

struct PackHeader {
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
static_assert(sizeof(PackHeader) == 56);

inline uint32_t header_crc(const PackHeader& h) { return crc32c(&h, offsetof(PackHeader, header_crc)); }

// A pack's file name ends in its inode and the system's current start: "<time>-<process>-<n>-<inode>-<boot>.pack". Its
// modification time is set to a moment before it was written. While all of these are as they were, nobody has
// written to it since we did, no page of it was lost in a crash, and its columns need not be verified again.
std::string pack_name(const std::string& unique, uint64_t inode);
int64_t pack_mtime_ns(int64_t written_ns);
bool is_untouched_pack(const std::string& path, const FileStat& stat, int64_t written_ns);

// Where the columns of one file lie.
struct DataPlace {
    uint64_t offset = 0;
    uint64_t size = 0;
    std::vector<uint32_t> crcs;  // one for each kCheckedBytes, so that large columns are verified by several threads
};
inline constexpr uint64_t kCheckedBytes = 4 << 20;

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

bool is_intact(const uint8_t* data, const DataPlace& place);

// A file's entry is its facts, then its place, then its series. What is read back is checked by ByteReader::is_good.
void put_facts(ByteWriter& w, const FileContent& c);
void get_facts(ByteReader& r, FileContent& c);
void put_place(ByteWriter& w, const DataPlace& place);
DataPlace get_place(ByteReader& r);

void put_listing(ByteWriter& w, const DirectoryListing& listing);
void get_listing(ByteReader& r, DirectoryListing& listing);

}  // namespace sightline
