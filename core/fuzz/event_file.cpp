// Any bytes as an event file: nothing may crash, hang or depend on how the bytes were cut into reads.
//
// The first byte chooses: the rest is the file as it is, or a list of payloads that get correct framing, so that the
// decoder behind the checksums is reached too. Then the same file is read at once, in pieces, and in segments,
// and must give the same.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "../tests/encode.hpp"
#include "../tests/memory_file.hpp"

namespace {

// Payloads are separated by their length in one byte.
std::string framed(const uint8_t* data, size_t size) {
    std::string file;
    while (size > 0) {
        const size_t length = std::min<size_t>(data[0], size - 1);
        file += encode::record({reinterpret_cast<const char*>(data + 1), length});
        data += 1 + length;
        size -= 1 + length;
    }
    return file;
}

void must_equal(const std::string& got, const std::string& wanted, const char* how) {
    if (got == wanted) return;
    std::cerr << how << " gave\n" << got << "\ninstead of\n" << wanted << "\n";
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const uint8_t choice = data[0];
    MemoryFile source;
    source.data =
        choice & 1 ? framed(data + 1, size - 1) : std::string(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::string whole = source.data;
    const std::string wanted = everything_in(whole);

    Reading in_segments;
    in_segments.read_in_segments(source, 16 + choice, choice % 16 == 0 ? 2 : 1);  // threads are slow to start
    must_equal(in_segments.everything(), wanted, "reading in segments");

    Reading in_pieces;
    source.is_all = false;
    const size_t piece = 1 + choice;
    for (size_t n = 0; n < whole.size(); n += piece) {
        source.data = whole.substr(0, n);
        in_pieces.read(source);
    }
    source.data = whole;
    source.is_all = true;
    in_pieces.read(source);
    must_equal(in_pieces.everything(), wanted, "reading in pieces");
    return 0;
}
