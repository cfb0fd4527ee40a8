#include "sink_queue.hpp"

#include <cstring>
#include <utility>

namespace sightline {

ChunkList::~ChunkList() {
    while (Chunk* chunk = pop()) {
        empty_chunk(*chunk);
        delete chunk;
    }
}

void ChunkList::swap(ChunkList& other) noexcept {
    std::swap(head_, other.head_);
    std::swap(tail_, other.tail_);
}

void ChunkList::push(Chunk* chunk) {
    chunk->next = nullptr;
    (tail_ == nullptr ? head_ : tail_->next) = chunk;
    tail_ = chunk;
}

Chunk* ChunkList::pop() {
    Chunk* chunk = head_;
    if (chunk == nullptr) return nullptr;
    head_ = chunk->next;
    if (head_ == nullptr) tail_ = nullptr;
    return chunk;
}

void empty_chunk(Chunk& chunk) {
    for (size_t at = 0; at < chunk.used;) {
        ItemHead head;
        std::memcpy(&head, chunk.data + at, sizeof(head));
        void* pointer;
        std::memcpy(&pointer, chunk.data + at + sizeof(head), sizeof(pointer));
        if (head.kind == ItemKind::kLargeEvent) delete static_cast<LargeEvent*>(pointer);
        if (head.kind == ItemKind::kHistogram) delete static_cast<HistogramItem*>(pointer);
        at += head.size_bytes;
    }
    chunk.used = chunk.charged_bytes = chunk.events = 0;
}

ItemQueue::~ItemQueue() {
    while (spare_ != nullptr) delete std::exchange(spare_, spare_->next);
}

uint8_t* ItemQueue::push(size_t size_bytes, size_t charged_bytes) {
    Chunk* chunk = filled_.tail();
    if (chunk == nullptr || Chunk::kCapacity - chunk->used < size_bytes) [[unlikely]] {
        if (spare_ != nullptr) {
            chunk = std::exchange(spare_, spare_->next);
            --spare_count_;
        } else {
            chunk = new Chunk;
        }
        filled_.push(chunk);
    }
    uint8_t* place = chunk->data + chunk->used;
    chunk->used += size_bytes;
    chunk->charged_bytes += charged_bytes;
    chunk->events += 1;
    charged_bytes_ += charged_bytes;
    events_ += 1;
    return place;
}

ChunkList ItemQueue::take(size_t max_bytes) {
    ChunkList taken;
    size_t bytes = 0;
    while (!filled_.is_empty() && (bytes == 0 || bytes + filled_.head()->charged_bytes <= max_bytes)) {
        Chunk* chunk = filled_.pop();
        bytes += chunk->charged_bytes;
        charged_bytes_ -= chunk->charged_bytes;
        events_ -= chunk->events;
        taken.push(chunk);
    }
    return taken;
}

void ItemQueue::give_back(ChunkList chunks) {
    while (spare_count_ < kMaxSpare) {
        Chunk* chunk = chunks.pop();
        if (chunk == nullptr) return;
        chunk->next = std::exchange(spare_, chunk);
        ++spare_count_;
    }
}

}  // namespace sightline
