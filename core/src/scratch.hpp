// Memory for one column of numbers.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sightline {

// A column that lives as long as one question. A long one asks for large pages: getting 80 MB in pages of 4 KB takes the
// system as long as the smoothing takes us. Keeping such a column for the next question instead would hold that memory
// for good.
class Scratch {
public:
    explicit Scratch(size_t size) {
        size_t bytes = size * sizeof(double);
#if defined(__linux__)
        if (bytes >= kWorthLargePages) {
            bytes = (bytes + kLargePage - 1) / kLargePage * kLargePage;
            data_.reset(static_cast<double*>(std::aligned_alloc(kLargePage, bytes)));
            if (data_ != nullptr) madvise(data_.get(), bytes, MADV_HUGEPAGE);  // refused: then as ever
        }
#endif
        if (data_ == nullptr) data_.reset(static_cast<double*>(std::malloc(bytes)));
        if (data_ == nullptr && bytes > 0) throw std::bad_alloc();
    }
    double* get() const { return data_.get(); }

private:
    static constexpr size_t kLargePage = size_t{2} << 20;
    static constexpr size_t kWorthLargePages = 4 * kLargePage;
    struct Free {
        void operator()(double* data) const { std::free(data); }
    };
    std::unique_ptr<double, Free> data_;
};

}  // namespace sightline
