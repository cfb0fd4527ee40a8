// What was given to a sink and is not encoded yet: items in chunks of memory that are used again and again.
//
// No allocation, and no page that was never touched, lies in the way of a caller once the first chunks exist.
// Not thread-safe: the owner locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/sink.hpp"

namespace sightline {

enum class ItemKind : uint32_t { kScalars, kEvent, kLargeEvent, kHistogram };

// In front of every item in a chunk.
struct ItemHead {
    ItemKind kind;
    uint32_t size_bytes;  // of the item with this head
    double wall_time;
    int64_t step;
};

// Scalars follow as (float, uint32 length, tag), an event as its bytes, the other kinds as a pointer to one of these.
struct LargeEvent {
    std::unique_ptr<uint8_t[]> data;
    size_t size;
};

struct Chunk {
    static constexpr size_t kCapacity = (64 << 10) - 64;  // with the head and the allocator's own, 64 KiB
    Chunk* next = nullptr;
    size_t used = 0;
    size_t charged_bytes = 0;  // with what the items point to
    size_t events = 0;
    alignas(8) uint8_t data[kCapacity];
};

// A list of chunks that frees what is left in it.
class ChunkList {
public:
    ChunkList() = default;
    ChunkList(ChunkList&& other) noexcept { swap(other); }
    ChunkList& operator=(ChunkList&& other) noexcept {
        swap(other);
        return *this;
    }
    ~ChunkList();

    bool is_empty() const { return head_ == nullptr; }
    Chunk* head() const { return head_; }
    Chunk* tail() const { return tail_; }
    void push(Chunk* chunk);
    Chunk* pop();

private:
    void swap(ChunkList& other) noexcept;
    Chunk* head_ = nullptr;
    Chunk* tail_ = nullptr;
};

// Frees what the items of a chunk point to and leaves it empty.
void empty_chunk(Chunk& chunk);

class ItemQueue {
public:
    ItemQueue() = default;
    ItemQueue(const ItemQueue&) = delete;
    ItemQueue& operator=(const ItemQueue&) = delete;
    ~ItemQueue();

    // Larger items are pointed to.
    static constexpr size_t kMaxInlineBytes = 8 << 10;

    // Room for an item, which counts as `charged_bytes`. May throw bad_alloc, and then nothing has changed.
    uint8_t* push(size_t size_bytes, size_t charged_bytes);
    // The oldest chunks, as many as hold max_bytes, at least one unless there is none.
    ChunkList take(size_t max_bytes);
    // Empty chunks, to be used again.
    void give_back(ChunkList chunks);

    bool is_empty() const { return filled_.is_empty(); }
    size_t charged_bytes() const { return charged_bytes_; }
    size_t events() const { return events_; }

private:
    // 4 MiB: a burst of some hundred thousand scalars passes without the allocator.
    static constexpr size_t kMaxSpare = 64;

    ChunkList filled_;
    size_t charged_bytes_ = 0;
    size_t events_ = 0;
    Chunk* spare_ = nullptr;
    size_t spare_count_ = 0;
};

}  // namespace sightline
