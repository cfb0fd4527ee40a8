#include "sightline/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__) || defined(_M_X64)
#define SIGHTLINE_CRC_X86 1
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#define SIGHTLINE_CRC_ARM 1
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace sightline {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78U;

// kByteTable[k][b]: the CRC register after byte b followed by k zero bytes ("slicing by 8").
constexpr auto kByteTable = [] {
    std::array<std::array<uint32_t, 256>, 8> table{};
    for (uint32_t b = 0; b < 256; ++b) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) ? (crc >> 1) ^ kPolynomial : crc >> 1;
        table[0][b] = crc;
    }
    for (size_t k = 1; k < 8; ++k)
        for (size_t b = 0; b < 256; ++b) table[k][b] = table[0][table[k - 1][b] & 0xFF] ^ (table[k - 1][b] >> 8);
    return table;
}();

#if defined(SIGHTLINE_CRC_X86) || defined(SIGHTLINE_CRC_ARM)

// The CRC instruction has a latency of three cycles but can start every cycle. Long inputs are therefore cut in
// three lanes of kLane bytes whose registers are combined afterwards: register(A then B) =
// shift(register(A), |B|) ^ register(B), where shifting over kLane zero bytes is linear and done by table.
constexpr size_t kLane = 1024;

using ShiftTable = std::array<std::array<uint32_t, 256>, 4>;

uint32_t shift_over_lane_slowly(uint32_t crc) {
    for (size_t i = 0; i < kLane; ++i) crc = kByteTable[0][crc & 0xFF] ^ (crc >> 8);
    return crc;
}

const ShiftTable kShift = [] {
    ShiftTable table{};
    for (size_t byte = 0; byte < 4; ++byte)
        for (uint32_t b = 0; b < 256; ++b) table[byte][b] = shift_over_lane_slowly(b << (8 * byte));
    return table;
}();

inline uint32_t shift_over_lane(uint32_t crc) {
    return kShift[0][crc & 0xFF] ^ kShift[1][(crc >> 8) & 0xFF] ^ kShift[2][(crc >> 16) & 0xFF] ^ kShift[3][crc >> 24];
}

inline uint64_t load64(const uint8_t* p) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    return v;
}

#endif

#if defined(SIGHTLINE_CRC_X86)

#define SIGHTLINE_CRC_TARGET __attribute__((target("sse4.2")))
SIGHTLINE_CRC_TARGET inline uint64_t step8(uint64_t crc, uint64_t v) { return _mm_crc32_u64(crc, v); }
SIGHTLINE_CRC_TARGET inline uint32_t step4(uint32_t crc, uint32_t v) { return _mm_crc32_u32(crc, v); }
SIGHTLINE_CRC_TARGET inline uint32_t step2(uint32_t crc, uint16_t v) { return _mm_crc32_u16(crc, v); }
SIGHTLINE_CRC_TARGET inline uint32_t step1(uint32_t crc, uint8_t v) { return _mm_crc32_u8(crc, v); }
bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }
constexpr const char* kHardwareName = "sse4.2";

#elif defined(SIGHTLINE_CRC_ARM)

#define SIGHTLINE_CRC_TARGET __attribute__((target("+crc")))
SIGHTLINE_CRC_TARGET inline uint64_t step8(uint64_t crc, uint64_t v) {
    return __crc32cd(static_cast<uint32_t>(crc), v);
}
SIGHTLINE_CRC_TARGET inline uint32_t step4(uint32_t crc, uint32_t v) { return __crc32cw(crc, v); }
SIGHTLINE_CRC_TARGET inline uint32_t step2(uint32_t crc, uint16_t v) { return __crc32ch(crc, v); }
SIGHTLINE_CRC_TARGET inline uint32_t step1(uint32_t crc, uint8_t v) { return __crc32cb(crc, v); }
bool has_instruction() { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
constexpr const char* kHardwareName = "armv8";

#endif

#if defined(SIGHTLINE_CRC_X86) || defined(SIGHTLINE_CRC_ARM)

SIGHTLINE_CRC_TARGET uint32_t crc32c_by_instruction(const uint8_t* p, size_t size, uint32_t crc) {
    uint64_t a = static_cast<uint32_t>(~crc);
    while (size >= 3 * kLane) {
        uint64_t b = 0;
        uint64_t c = 0;
        for (const uint8_t* lane_end = p + kLane; p < lane_end; p += 8) {
            a = step8(a, load64(p));
            b = step8(b, load64(p + kLane));
            c = step8(c, load64(p + 2 * kLane));
        }
        p += 2 * kLane;
        size -= 3 * kLane;
        a = shift_over_lane(shift_over_lane(static_cast<uint32_t>(a)) ^ static_cast<uint32_t>(b)) ^ c;
    }
    for (; size >= 8; size -= 8, p += 8) a = step8(a, load64(p));
    uint32_t r = static_cast<uint32_t>(a);
    if (size & 4) {
        uint32_t v;
        std::memcpy(&v, p, 4);
        r = step4(r, v);
        p += 4;
    }
    if (size & 2) {
        uint16_t v;
        std::memcpy(&v, p, 2);
        r = step2(r, v);
        p += 2;
    }
    if (size & 1) r = step1(r, *p);
    return ~r;
}

const bool kHasInstruction = has_instruction();

#endif

}  // namespace

uint32_t crc32c_by_table(const void* data, size_t size, uint32_t crc) {
    const auto* p = static_cast<const uint8_t*>(data);
    uint32_t r = ~crc;
    for (; size >= 8; size -= 8, p += 8) {
        r ^= static_cast<uint32_t>(p[0]) | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 |
             static_cast<uint32_t>(p[3]) << 24;
        r = kByteTable[7][r & 0xFF] ^ kByteTable[6][(r >> 8) & 0xFF] ^ kByteTable[5][(r >> 16) & 0xFF] ^
            kByteTable[4][r >> 24] ^ kByteTable[3][p[4]] ^ kByteTable[2][p[5]] ^ kByteTable[1][p[6]] ^
            kByteTable[0][p[7]];
    }
    for (; size > 0; --size, ++p) r = kByteTable[0][(r ^ *p) & 0xFF] ^ (r >> 8);
    return ~r;
}

uint32_t crc32c(const void* data, size_t size, uint32_t crc) {
#if defined(SIGHTLINE_CRC_X86) || defined(SIGHTLINE_CRC_ARM)
    if (kHasInstruction) [[likely]]
        return crc32c_by_instruction(static_cast<const uint8_t*>(data), size, crc);
#endif
    return crc32c_by_table(data, size, crc);
}

const char* crc32c_implementation() {
#if defined(SIGHTLINE_CRC_X86) || defined(SIGHTLINE_CRC_ARM)
    if (kHasInstruction) return kHardwareName;
#endif
    return "table";
}

}  // namespace sightline
