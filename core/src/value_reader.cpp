#include "sightline/value_reader.hpp"

#include <algorithm>

namespace sightline {
namespace {

constexpr size_t kMostOpenFiles = 16;

}  // namespace

ValueReader::OpenFile& ValueReader::opened(uint32_t file_id) {
    const auto known = std::find_if(open_.begin(), open_.end(),
                                    [&](const OpenFile& one) { return one.file && one.file->id == file_id; });
    if (known != open_.end()) return *known;
    if (open_.size() == kMostOpenFiles) open_.clear();
    OpenFile& one = open_.emplace_back();
    one.file = index_.file(file_id);
    if (one.file == nullptr || one.file->is_stream) {
        one.error = "no such local file in the log";
        return one;
    }
    one.source = std::make_unique<File>();
    one.error = one.source->open(one.file->path);
    return one;
}

std::string ValueReader::read(const ValuePlace& place, std::string& out) {
    const OpenFile& one = opened(place.file_id);
    if (!one.error.empty()) return one.error;
    File& source = *one.source;
    const FileStat known = one.file->with_facts([](const FileContent& c) { return c.stat; });
    if (one.file->generation() != place.generation || !known.is_same_file(source.stat()))
        return "the file was replaced";
    if (place.offset > source.size() || place.length > source.size() - place.offset) return "the file was cut short";
    out.resize(place.length);
    if (source.read(place.offset, reinterpret_cast<uint8_t*>(out.data()), place.length) == place.length) return {};
    return source.read_error().empty() ? "the file was cut short" : source.read_error();
}

}  // namespace sightline
