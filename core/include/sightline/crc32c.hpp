// CRC-32C (Castagnoli), the checksum of every record in an event file.
//
// The CPU's own instruction is used where it exists (SSE4.2, ARMv8 CRC), chosen at run time so that one
// binary runs everywhere; a table does the same work elsewhere. At several GB/s there is no reason to skip
// verification, which is why the reader never does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline {

// CRC-32C of `data`, continuing from `crc` (0 to begin).
uint32_t crc32c(const void* data, size_t size, uint32_t crc = 0);

// The form in which TFRecord files store a checksum: rotated and offset, so that a checksum of data that
// itself contains checksums stays well behaved.
constexpr uint32_t mask_crc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U; }

// "sse4.2", "armv8" or "table".
const char* crc32c_implementation();

// The portable implementation, exposed so that tests can compare the two.
uint32_t crc32c_by_table(const void* data, size_t size, uint32_t crc = 0);

}  // namespace sightline
