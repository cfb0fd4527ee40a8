// A table that gives each distinct string a small number, shared by all files of an index.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sightline {

class Interner {
public:
    uint32_t intern(std::string_view text);
    std::optional<uint32_t> find(std::string_view text) const;
    // The reference stays valid for the life of the table.
    const std::string& at(uint32_t id) const;

private:
    mutable std::shared_mutex mutex_;
    std::deque<std::string> strings_;
    std::unordered_map<std::string_view, uint32_t> ids_;
};

// The text itself when it is valid UTF-8, else with the offending bytes written as \xNN. Names from files and
// directories pass through here once, so that everything behind can rely on them being text.
std::string printable_utf8(std::string_view bytes);

}  // namespace sightline
