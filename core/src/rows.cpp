#include "sightline/rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sightline {

namespace {
// From this size on a buffer lives in pages of its own, small ones: asking for huge pages made reading 20 % faster at best
// and four times slower when the kernel had to find some first. 1 MiB: small enough that doubling by copy stays cheap
// below it, large enough that a directory of many small series does not fragment the address space.
constexpr size_t kMappedBytes = 1 << 20;
constexpr size_t kMinRows = 32;
constexpr size_t kMinSlabCells = (16 << 10) / sizeof(uint64_t);
// 512 KiB: larger blocks are cleared by the kernel in one go, which pushes what is being decoded out of the cache.
constexpr size_t kMaxSlabCells = (512 << 10) / sizeof(uint64_t);
}  // namespace

GrowBuffer::~GrowBuffer() {
#if defined(__linux__)
    if (is_mapped_) {
        munmap(data_, bytes_);
        return;
    }
#endif
    std::free(data_);
}

void GrowBuffer::grow(size_t cells) {
    size_t bytes = cells * sizeof(uint64_t);
    if (bytes <= bytes_) return;
#if defined(__linux__)
    if (bytes >= kMappedBytes) {
        bytes = (bytes + kMappedBytes - 1) / kMappedBytes * kMappedBytes;
        void* fresh;
        if (is_mapped_) {
            fresh = mremap(data_, bytes_, bytes, MREMAP_MAYMOVE);
        } else {
            fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        }
        if (fresh == MAP_FAILED) throw std::bad_alloc();
        if (!is_mapped_ && data_ != nullptr) {
            std::memcpy(fresh, data_, bytes_);
            std::free(data_);
        }
        data_ = static_cast<uint64_t*>(fresh);
        bytes_ = bytes;
        is_mapped_ = true;
        return;
    }
#endif
    void* fresh = std::realloc(data_, bytes);
    if (fresh == nullptr) throw std::bad_alloc();
    data_ = static_cast<uint64_t*>(fresh);
    bytes_ = bytes;
}

struct Slab::Block final : Storage {
    GrowBuffer buffer;
};

uint64_t* Slab::take(size_t cells, std::shared_ptr<Storage>& owner) {
    if (cells > capacity_ - used_) {
        // Blocks grow with use, so that following one small file does not cost a large block.
        capacity_ = std::max(cells, std::clamp(capacity_ * 2, kMinSlabCells, kMaxSlabCells));
        block_ = std::make_shared<Block>();
        block_->buffer.grow(capacity_);
        used_ = 0;
    }
    owner = block_;
    uint64_t* out = block_->buffer.data() + used_;
    used_ += cells;
    return out;
}

struct Grown final : Storage {
    std::array<GrowBuffer, kMaxColumns> buffer;
};

// Whether nobody else points into `storage` any more. use_count() is a relaxed load: seeing 1 says that the last reader let
// go, not that what it read before is over. Letting go of a copy joins the same chain of releases, which does say so.
static bool is_sole_owner(const std::shared_ptr<Storage>& storage) {
    if (storage.use_count() > 1) return false;
    std::shared_ptr<Storage>(storage).reset();
    return true;
}

RowView Rows::view() const {
    RowView view;
    view.storage = storage_;
    for (size_t i = 0; i < kMaxColumns; ++i) view.column[i] = column_[i];
    view.size = size_;
    return view;
}

void Rows::adopt(std::shared_ptr<Storage> storage, const std::array<uint64_t*, kMaxColumns>& column, size_t count) {
    storage_ = std::move(storage);
    grown_ = nullptr;
    column_ = column;
    size_ = count;
    capacity_ = count;
}

void Rows::reserve(size_t rows, size_t columns) {
    if (rows <= capacity_) return;
    const size_t capacity = std::max({rows, capacity_ * 2, kMinRows});
    // A view that is still alive points into the old buffers: leave those to it and move on to new ones.
    if (grown_ == nullptr || !is_sole_owner(storage_)) {
        auto fresh = std::make_shared<Grown>();
        for (size_t i = 0; i < columns; ++i) {
            fresh->buffer[i].grow(capacity);
            if (size_ > 0) std::memcpy(fresh->buffer[i].data(), column_[i], size_ * sizeof(uint64_t));
        }
        grown_ = fresh.get();
        storage_ = std::move(fresh);
    } else {
        for (size_t i = 0; i < columns; ++i) {
            grown_->buffer[i].grow(capacity);
            column_[i] = grown_->buffer[i].data();  // at once: if the next one fails, this one has already moved
        }
    }
    for (size_t i = 0; i < columns; ++i) column_[i] = grown_->buffer[i].data();
    capacity_ = capacity;
}

void Rows::append(const std::array<const uint64_t*, kMaxColumns>& source, size_t count, size_t columns) {
    reserve(size_ + count, columns);
    for (size_t i = 0; i < columns; ++i) std::memcpy(column_[i] + size_, source[i], count * sizeof(uint64_t));
    size_ += count;
}

}  // namespace sightline
