#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "check.hpp"
#include "sightline/rows.hpp"

using namespace sightline;

TEST("a view stays as it was while the series grows past every capacity") {
    Rows rows;
    std::vector<uint64_t> cells(1000);
    std::vector<RowView> views;
    uint64_t next = 0;
    for (int round = 0; round < 400; ++round) {
        for (auto& c : cells) c = next++;
        const std::array<const uint64_t*, kMaxColumns> source{cells.data(), cells.data(), cells.data(), nullptr};
        rows.append(source, cells.size(), 3);
        if (round % 20 == 0) views.push_back(rows.view());
    }
    CHECK_EQUAL(rows.size(), 400'000U);
    for (const RowView& view : views)
        for (size_t i = 0; i < view.size; i += 97) CHECK_EQUAL(view.column[1][i], i);
    for (size_t i = 0; i < rows.size(); i += 101) CHECK_EQUAL(rows.column(2)[i], i);
}

TEST("a view that another thread has let go of was read before its memory is used again") {
    Rows rows;
    const std::array<uint64_t, 32> cells{1, 2, 3};
    rows.append({cells.data(), cells.data(), cells.data()}, cells.size(), 3);
    RowView shared = rows.view();
    const std::weak_ptr<const Storage> viewed = shared.storage;
    std::thread reader([&cells, view = std::move(shared)]() mutable {
        for (size_t i = 0; i < view.size; ++i) CHECK_EQUAL(view.column[0][i], cells[i]);
        view = {};
    });
    while (viewed.use_count() > 1) std::this_thread::yield();
    rows.append({cells.data(), cells.data(), cells.data()}, cells.size(), 3);  // the thread sanitizer is the judge
    reader.join();
    CHECK_EQUAL(rows.size(), 64U);
}
