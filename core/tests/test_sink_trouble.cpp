// What a failing, full, slow or stuck disk does to a sink: nothing is lost that memory can hold, and nobody hangs.
#include <atomic>
#include <cerrno>
#include <memory>
#include <thread>

#include "check.hpp"
#include "encode.hpp"
#include "scripted_sink.hpp"
#include "sightline/sink.hpp"
#include "temporary_directory.hpp"

using namespace sightline;
using namespace scripted_sink;

TEST("sink: short writes are continued in place") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    disk->be_short(7);
    Sink sink(options_for(d, disk));
    add_steps(sink, 0, 100);
    CHECK(sink.flush());
    CHECK_EQUAL(body(sink.path()), scalars(0, 100));
}

TEST("sink: what cannot be written is kept and written later, and said once") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    Sink sink(options_for(d, disk));
    disk->fail(EIO);
    add_steps(sink, 0, 10);
    CHECK(!sink.flush());
    add_steps(sink, 10, 20);
    CHECK(!sink.flush());
    CHECK(sink.problem().find(sink.path()) != std::string::npos);
    CHECK(sink.pending_bytes() > 0);
    CHECK_EQUAL(levels(sink), "error ");
    disk->work();
    CHECK(sink.flush());
    CHECK_EQUAL(levels(sink), "info ");
    CHECK_EQUAL(sink.problem(), "");
    CHECK_EQUAL(sink.lost_events(), 0U);
    CHECK_EQUAL(sink.pending_bytes(), 0U);
    CHECK_EQUAL(body(sink.path()), scalars(0, 20));
    CHECK(sink.close());
}

TEST("sink: writing is tried again without being asked") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    SinkOptions options = options_for(d, disk);
    options.flush_secs = 0.01;
    Sink sink(options);
    disk->fail(ENOSPC, 2);
    const auto header = content(sink.path()).size();
    add_steps(sink, 0, 10);
    disk->wait_until_written(header + scalars(0, 10).size());
    CHECK(sink.flush());
    CHECK_EQUAL(body(sink.path()), scalars(0, 10));
}

TEST("sink: when memory is full in times of trouble, new events are dropped and counted") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    SinkOptions options = options_for(d, disk);
    options.max_pending_bytes = 4000;
    Sink sink(options);
    disk->fail(ENOSPC);
    add_steps(sink, 0, 1);
    CHECK(!sink.flush());
    add_steps(sink, 1, 1000);  // returns, though nobody takes anything
    CHECK(sink.pending_bytes() <= 4000);
    const uint64_t lost = sink.lost_events();
    CHECK(lost > 800 && lost < 1000);
    const std::vector<SinkNotice> notices = sink.take_notices();
    CHECK_EQUAL(notices.size(), 2U);  // the trouble, and the first that was dropped
    CHECK(!sink.flush());
    disk->work();
    CHECK(!sink.flush());  // says once that something is lost
    const std::vector<SinkNotice> after = sink.take_notices();
    CHECK_EQUAL(after.size(), 1U);
    CHECK(after[0].text.find(std::to_string(lost)) != std::string::npos);
    CHECK_EQUAL(body(sink.path()), scalars(0, 1000 - static_cast<int>(lost)));
    add_steps(sink, 5000, 5001);
    CHECK(sink.flush());
    CHECK(!sink.close());  // says it again, for those who only close
}

TEST("sink: closing in times of trouble leaves whole records and counts the rest") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    Sink sink(options_for(d, disk));
    disk->have_room(static_cast<int64_t>(scalars(1, 4).size() + 20));
    add_steps(sink, 1, 21);
    CHECK(!sink.close());
    const Found found = found_in(d);
    CHECK_EQUAL(found.torn_bytes, 0U);
    CHECK_EQUAL(found.rows, 3U);
    CHECK_EQUAL(sink.lost_events(), 20 - found.rows);
    CHECK_EQUAL(body(sink.path()), scalars(1, 1 + static_cast<int>(found.rows)));
    CHECK_EQUAL(sink.pending_bytes(), 0U);
    CHECK_EQUAL(levels(sink), "error error ");
    disk->have_room(1 << 20);
    add_steps(sink, 30, 31);
    CHECK(sink.close());
    CHECK_EQUAL(body(sink.path()), scalars(30, 31));
}

TEST("sink: trouble that comes and goes is said once") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    Sink sink(options_for(d, disk));
    for (int i = 0; i < 5; ++i) {
        disk->fail(ENOSPC);
        add_steps(sink, i, i + 1);
        CHECK(!sink.flush());
        CHECK(!sink.problem().empty());
        disk->work();
        CHECK(sink.flush());
    }
    CHECK_EQUAL(levels(sink), "error info ");
    CHECK_EQUAL(body(sink.path()), scalars(0, 5));
}

TEST("sink: a torn record is finished when there is room again") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    Sink sink(options_for(d, disk));
    disk->have_room(100);
    add_steps(sink, 0, 20);
    CHECK(!sink.flush());
    disk->have_room(1 << 20);
    CHECK(sink.flush());
    CHECK_EQUAL(body(sink.path()), scalars(0, 20));
}

TEST("sink: a slow disk makes the caller wait until there is room") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    SinkOptions options = options_for(d, disk);
    options.max_pending_bytes = 4000;
    Sink sink(options);
    disk->hang();
    std::atomic<int> given{0};
    std::thread caller([&] {
        for (int i = 0; i < 500; ++i) {
            add_steps(sink, i, i + 1);
            ++given;
        }
    });
    disk->wait_until_hanging();
    CHECK(sink.pending_bytes() <= 4000);
    CHECK(given < 500);
    disk->let_go();
    caller.join();
    CHECK(sink.flush());
    CHECK_EQUAL(sink.lost_events(), 0U);
    CHECK_EQUAL(body(sink.path()), scalars(0, 500));
}

TEST("sink: something larger than the buffer passes when the buffer is empty") {
    TemporaryDirectory d;
    SinkOptions options = options_for(d);
    options.max_pending_bytes = 4000;
    Sink sink(options);
    const std::string event(100'000, 'x');
    for (int i = 0; i < 3; ++i)
        while (sink.add_event(event.data(), event.size()) == Added::kFull) sink.wait_for_room(event.size());
    CHECK(sink.flush());
    const std::string record = encode::record(event);
    CHECK(body(sink.path()) == record + record + record);
}

TEST("sink: nobody waits for a disk that is stuck") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    SinkOptions options = options_for(d, disk);
    options.max_pending_bytes = 4000;
    options.stall_patience_secs = options.flush_patience_secs = 0.01;
    Sink sink(options);
    disk->hang();
    add_steps(sink, 0, 1000);  // waits a moment, then drops
    CHECK(sink.lost_events() > 0);
    CHECK(!sink.problem().empty());
    CHECK(!sink.flush());
    disk->let_go();
    while (!sink.problem().empty()) sink.flush();
    CHECK_EQUAL(body(sink.path()), scalars(0, 1000 - static_cast<int>(sink.lost_events())));
}

TEST("sink: closing gives up on a write that never comes back, and the sink goes on in a new file") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    {
        SinkOptions options = options_for(d, disk);
        options.flush_patience_secs = 0.01;
        Sink sink(options);
        disk->hang();
        add_steps(sink, 0, 10);
        CHECK(!sink.flush());
        CHECK(!sink.close());
        CHECK_EQUAL(sink.lost_events(), 10U);
        CHECK(!sink.is_open());
        CHECK_EQUAL(levels(sink), "error error ");  // that it does not answer; what is lost
        disk->let_go();
        add_steps(sink, 10, 20);
        while (sink.pending_bytes() > 0) sink.flush();  // which has little patience here
        CHECK_EQUAL(body(sink.path()), scalars(10, 20));
    }
}

TEST("sink: waiting can be interrupted") {
    TemporaryDirectory d;
    const auto disk = std::make_shared<Disk>();
    Sink sink(options_for(d, disk));
    disk->hang();
    add_steps(sink, 0, 1);
    CHECK(!sink.flush([] { return true; }));
    CHECK(!sink.close([] { return true; }));
    disk->let_go();
    CHECK(sink.close());
}
