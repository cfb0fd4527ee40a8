// Bytes of values at places that the index knows, from local files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/file_io.hpp"
#include "sightline/index.hpp"

namespace sightline {

struct ValuePlace {
    uint32_t file_id = 0;
    uint64_t generation = 0;  // of the file's content: in another one the offset tells nothing
    uint64_t offset = 0;
    uint64_t length = 0;
};

// For one thread. Keeps the files open that it read last, since the values of a series lie in few of them.
class ValueReader {
public:
    explicit ValueReader(Index& index) : index_(index) {}

    // Empty string when it worked, else one clear phrase.
    std::string read(const ValuePlace& place, std::string& out);

private:
    struct OpenFile {
        std::shared_ptr<EventFile> file;
        std::unique_ptr<File> source;
        std::string error;
    };
    OpenFile& opened(uint32_t file_id);

    Index& index_;
    std::vector<OpenFile> open_;
};

}  // namespace sightline
