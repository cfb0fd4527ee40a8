// Bytes of a pack's directory: little-endian numbers and length-prefixed strings, read with bounds checks.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sightline {

class ByteWriter {
public:
    template <class T>
    void put(T value) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        out_.append(bytes, sizeof(T));
    }
    void put_text(std::string_view text) {
        put(static_cast<uint32_t>(text.size()));
        out_.append(text);
    }
    void put_raw(const void* data, size_t size) { out_.append(static_cast<const char*>(data), size); }
    const std::string& bytes() const { return out_; }

private:
    std::string out_;
};

class ByteReader {
public:
    ByteReader(const uint8_t* data, size_t size) : p_(data), end_(data + size) {}

    // Reads zeros once the end is passed; is_good() tells.
    template <class T>
    T get() {
        T value{};
        if (static_cast<size_t>(end_ - p_) < sizeof(T)) {
            fail();
            return value;
        }
        std::memcpy(&value, p_, sizeof(T));
        p_ += sizeof(T);
        return value;
    }
    std::string_view get_text() {
        const auto size = get<uint32_t>();
        if (static_cast<size_t>(end_ - p_) < size) {
            fail();
            return {};
        }
        const std::string_view text(reinterpret_cast<const char*>(p_), size);
        p_ += size;
        return text;
    }
    void reject() { fail(); }  // what was read makes no sense
    bool is_good() const { return is_good_; }

private:
    void fail() {
        is_good_ = false;
        p_ = end_;
    }
    const uint8_t* p_;
    const uint8_t* end_;
    bool is_good_ = true;
};

}  // namespace sightline
