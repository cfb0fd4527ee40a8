// Many small pieces of work, done by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sightline {

// Numbers looked at: some milliseconds of work, while starting a thread takes some tens of µs.
inline constexpr size_t kWorthThreads = 200'000;

// Calls work(i) for each i below `count`, from as many threads as there are processors if `is_worth_it`, and passes on
// what one of them throws: memory may run out.
template <class Work>
void for_each_in_parallel(size_t count, bool is_worth_it, Work&& work) {
    const size_t threads = is_worth_it ? std::min<size_t>(count, std::max(1U, std::thread::hardware_concurrency())) : 1;
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::exception_ptr trouble;
    const auto take = [&] {
        try {
            for (size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            trouble = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (size_t i = 1; i < threads; ++i) others.emplace_back(take);
        take();
    }
    if (trouble) std::rethrow_exception(trouble);
}

}  // namespace sightline
