#include <random>
#include <vector>

#include "check.hpp"
#include "sightline/crc32c.hpp"

using namespace sightline;

TEST("known checksums come out") {
    const std::vector<uint8_t> zeros(32, 0);
    CHECK_EQUAL(crc32c(zeros.data(), zeros.size()), 0x8A9136AAU);
    const std::string text =
        "\x1A\x11"
        "CRC test, one two";
    CHECK_EQUAL(mask_crc(crc32c(text.data(), text.size())), 0x5794D08AU);
    const uint64_t length = 24;
    CHECK_EQUAL(mask_crc(crc32c(&length, 8)), 0x224B7FA3U);
    CHECK_EQUAL(crc32c("", 0), 0U);
}

TEST("the instruction and the table agree for every length and alignment, in one go or in two") {
    std::mt19937 random(1);
    std::vector<uint8_t> data(20'000);
    for (auto& b : data) b = static_cast<uint8_t>(random());
    for (int i = 0; i < 3000; ++i) {
        const size_t start = random() % 64;
        const size_t size = i < 600 ? static_cast<size_t>(i) : random() % (data.size() - start);
        const uint32_t wanted = crc32c_by_table(data.data() + start, size);
        CHECK_EQUAL(crc32c(data.data() + start, size), wanted);
        const size_t cut = size == 0 ? 0 : random() % size;
        CHECK_EQUAL(crc32c(data.data() + start + cut, size - cut, crc32c(data.data() + start, cut)), wanted);
        CHECK_EQUAL(crc32c_by_table(data.data() + start + cut, size - cut, crc32c_by_table(data.data() + start, cut)),
                    wanted);
    }
}
