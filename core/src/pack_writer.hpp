// Writes one pack: columns as they come, then the directory, then the header; the file appears when all is there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/pack.hpp"

namespace sightline {

// Puts the files' series and the listings into a new pack in the cache directory, and notes in each file how far it was
// saved. Returns the pack's path. Throws std::system_error when it cannot be written; then nothing is left behind.
std::string write_pack(const std::string& directory, const Tables& tables,
                       const std::vector<std::shared_ptr<EventFile>>& files, const KnownDirectories& listings);

}  // namespace sightline
