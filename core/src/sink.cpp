// Which core a sink has: its own, or a new one in a forked child and after a write that never came back.
#include "sightline/sink.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "sink_core.hpp"

namespace sightline {
namespace {

// A process that is ending should not be kept by a disk that does not answer.
constexpr SinkCore::Seconds kDestructorPatience{5};

// When a sink of this process last gave up on its disk.
constexpr double kHangIsRecentSecs = 60;
std::atomic<double> last_hang_secs{-kHangIsRecentSecs};

double now_secs() { return SinkCore::Seconds(SinkCore::Clock::now().time_since_epoch()).count(); }

// How many forks lie between this process and the one that loaded us.
std::atomic<uint64_t> fork_generation{0};

void count_fork() { fork_generation.fetch_add(1, std::memory_order_relaxed); }

[[maybe_unused]] const int is_fork_watched = pthread_atfork(nullptr, nullptr, count_fork);

uint64_t generation_now() { return fork_generation.load(std::memory_order_relaxed); }

// The process may change its directory later.
SinkOptions with_absolute_directory(SinkOptions options) {
    char buffer[PATH_MAX];
    if (!options.directory.starts_with('/') && ::getcwd(buffer, sizeof(buffer)) != nullptr) {
        std::string absolute = buffer;
        options.directory = absolute.append("/").append(options.directory);
    }
    return options;
}

}  // namespace

struct Sink::Holder {
    std::shared_ptr<SinkCore> core;
    uint64_t generation;
    Holder* replaced = nullptr;  // freed with the sink, when nobody can be using it any more
};

Sink::Sink(SinkOptions options) : options_(with_absolute_directory(std::move(options))) {
    auto core = std::make_shared<SinkCore>(options_);
    const Trouble trouble = core->open_first();
    if (trouble) throw SinkError{trouble.code, trouble.path};
    first_path_ = core->path();
    holder_ = new Holder{std::move(core), generation_now()};
}

Sink::~Sink() {
    Holder* holder = holder_.load();
    if (holder->generation != generation_now()) {
        holder->core->close_inherited_file();
        return;
    }
    if (holder->core->close(kDestructorPatience, {}) == SinkCore::Closing::kHung) holder->core->abandon();
    while (holder != nullptr) delete std::exchange(holder, holder->replaced);
}

SinkCore& Sink::core() {
    Holder* holder = holder_.load(std::memory_order_acquire);
    if (holder->generation != generation_now()) [[unlikely]]
        holder = holder_after_fork(holder);
    return *holder->core;
}

Sink::Holder* Sink::holder_after_fork(Holder* inherited) {
    SinkOptions options = options_;
    options.is_forked_child = true;
    auto core = std::make_shared<SinkCore>(options);
    core->inherit(first_path_, inherited->core->inherited_last_step(), 0, {});
    auto* fresh = new Holder{std::move(core), generation_now()};
    Holder* current = inherited;
    if (holder_.compare_exchange_strong(current, fresh)) {
        inherited->core->close_inherited_file();
        return fresh;
    }
    delete fresh;  // another thread was quicker
    return current;
}

void Sink::replace_hung_core(Holder* hung) {
    hung->core->abandon();
    auto core = std::make_shared<SinkCore>(options_);
    core->inherit(hung->core->path(), hung->core->last_step(), hung->core->lost_events(), hung->core->take_notices());
    auto* fresh = new Holder{std::move(core), hung->generation, hung};
    if (!holder_.compare_exchange_strong(hung, fresh)) delete fresh;  // another thread has done it
}

Added Sink::probe(size_t size_bytes) { return core().probe(size_bytes); }

Added Sink::add_scalars(const ScalarValue* values, size_t count, int64_t step, double wall_time) {
    return core().add_scalars(values, count, step, wall_time);
}

Added Sink::add_event(const void* event, size_t size) { return core().add_event(event, size); }

Added Sink::add_histogram(HistogramItem& item, int64_t step, double wall_time) {
    return core().add_histogram(item, step, wall_time);
}

void Sink::wait_for_room(size_t size_bytes, const Interrupt& is_interrupted) {
    core().wait_for_room(size_bytes, is_interrupted);
}

bool Sink::flush(const Interrupt& is_interrupted) { return core().flush(is_interrupted); }

bool Sink::close(const Interrupt& is_interrupted) {
    core();
    Holder* holder = holder_.load(std::memory_order_acquire);
    SinkCore::Seconds patience(options_.flush_patience_secs);
    // The disk that hung for one sink hangs for its neighbours; a process that ends should wait for it once.
    if (now_secs() - last_hang_secs.load(std::memory_order_relaxed) < kHangIsRecentSecs)
        patience = std::min(patience, kDestructorPatience);
    const SinkCore::Closing closing = holder->core->close(patience, is_interrupted);
    if (closing == SinkCore::Closing::kHung) {
        last_hang_secs.store(now_secs(), std::memory_order_relaxed);
        replace_hung_core(holder);
    }
    return closing == SinkCore::Closing::kGood;
}

std::vector<SinkNotice> Sink::take_notices() { return core().take_notices(); }
std::string Sink::path() { return core().path(); }
bool Sink::is_open() { return core().is_open(); }
std::string Sink::problem() { return core().problem(); }
size_t Sink::pending_bytes() { return core().pending_bytes(); }
uint64_t Sink::lost_events() { return core().lost_events(); }

int64_t Sink::last_step() {
    const int64_t step = core().last_step();
    return step == SinkCore::kNoStep ? 0 : step;
}

}  // namespace sightline
