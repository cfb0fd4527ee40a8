// The persisted index: packs, files in the user's cache directory that hold the decoded series of many event files.
//
//   header | columns of file 1 | columns of file 2 | ... | directory
//
// A pack is written once, under another name, then renamed; it is never changed. Opening one maps it and reads only the
// directory. A file's columns are used in place; when they are first looked at, their checksum is verified, unless the
// pack is certain to be as it was written (see pack_name). Whatever is wrong with a pack (missing, cut, bit flips, another version), the answer is the same:
// as if it were not there.
//
// Packs accumulate: a save adds a pack with the files that changed enough. When they become too many, or too much
// in them is superseded, one new pack replaces them all. Several processes may do this in one directory: the
// worst that happens is that a file is in two packs, or is read again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/event_file.hpp"

namespace sightline {

class Pack;
using KnownDirectories = std::unordered_map<std::string, std::shared_ptr<const DirectoryListing>>;

class PackSet {
public:
    explicit PackSet(Tables& tables) : tables_(tables) {}

    // Maps all packs in the cache directory, and brings the listings of log directories they hold. Returns how
    // many files are known.
    uint64_t load(const std::string& directory, KnownDirectories& listings);

    struct Found {
        FileContent content;  // without series and metadata
        std::unique_ptr<ContentSource> lazy;
        bool is_settled = false;  // the file had been left alone for a while when it was saved
    };
    // What is known of a file; false when nothing is. The entry stays known.
    bool find(const std::string& path, Found& out) const;

    // Calls visit(path, run) for every local file that is known.
    template <class Visit>
    void for_each_local(Visit&& visit) const {
        for (const auto& [path, entry] : entries_)
            if (!entry.is_stream) visit(path, entry.run);
    }

    // Have the packs become so many, or so much in them superseded, that one new pack should replace them all?
    bool is_worth_merging() const;

    // Takes in a pack that was just written, in place of all others if it holds everything. Returns its size.
    uint64_t add(const std::string& path, bool holds_everything);

private:
    struct Entry {
        std::shared_ptr<Pack> pack;
        uint64_t offset = 0;  // of the file's entry in the pack
        uint64_t size = 0;
        std::string_view run;  // in the pack
        bool is_stream = false;
    };
    void take(std::shared_ptr<Pack> pack, KnownDirectories& listings);
    uint64_t data_size(const Entry& entry) const;

    Tables& tables_;
    std::vector<std::shared_ptr<Pack>> packs_;
    std::unordered_map<std::string, Entry> entries_;
};

struct WrittenPack {
    std::string path;
    std::vector<std::pair<std::shared_ptr<EventFile>, uint64_t>> saved;  // how far each file is in it
};

// Puts the files' series and the listings into a new pack in the cache directory. Throws std::system_error when it cannot
// be written; then nothing is left behind.
WrittenPack write_pack(const std::string& directory, const Tables& tables,
                       const std::vector<std::shared_ptr<EventFile>>& files, const KnownDirectories& listings);

}  // namespace sightline
