// Field numbers and rules are those of docs/format.md; names of messages and fields are TensorFlow's.
#include "sightline/event.hpp"

#include <algorithm>
#include <cstring>

#include "sightline/tensor.hpp"
#include "sightline/wire.hpp"

namespace sightline {
namespace {

using wire::Span;

// Tags under which data that belong to no tag are listed.
constexpr std::string_view kGraphTag = "__run_graph__";
constexpr std::string_view kMetaGraphTag = "__meta_graph__";
constexpr std::string_view kLogMessageTag = "__log_message__";
constexpr uint64_t kSessionStart = 1;
// Metadata is kept in memory once per tag; nobody needs more than this of it at hand.
constexpr size_t kMaxMetadataBytes = 64 << 10;

std::string_view text(Span s) { return {reinterpret_cast<const char*>(s.data), s.size}; }

// Calls handle(field, type, p, end, handled) for every field; what it does not take is skipped.
template <class Handle>
bool for_each_field(Span message, Handle&& handle) {
    const uint8_t* p = message.data;
    const uint8_t* end = message.end();
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!wire::read_tag(p, end, field, type)) return false;
        bool is_taken = false;
        if (!handle(field, type, p, end, is_taken)) return false;
        if (!is_taken && !wire::skip_value(p, end, field, type)) return false;
    }
    return true;
}

// The usual handler: take length-delimited fields into spans by number.
bool take_bytes(const uint8_t*& p, const uint8_t* end, bool& is_taken, Span& out) {
    is_taken = true;
    return wire::read_bytes(p, end, out);
}

struct Value {
    Span bytes;  // the whole Value message
    Span tag;
    Span node_name;
    Span metadata;
    bool has_data = false;
    Form form = Form::kMetadata;
    bool has_number = false;
    double number = 0;
};

bool parse_value(Span bytes, Value& v) {
    v = {};
    v.bytes = bytes;
    Span tensor;
    const bool ok = for_each_field(
        bytes, [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end, bool& is_taken) {
            const auto set_form = [&](Form form) {
                v.has_data = true;
                v.form = form;
            };
            if (field == 2 && type == wire::kFixed32) {
                float value;
                is_taken = true;
                if (!wire::read_fixed(p, end, value)) return false;
                set_form(Form::kScalar);
                v.number = value;
                return true;
            }
            if (type != wire::kBytes) return true;
            Span data;
            switch (field) {
                case 1:
                    return take_bytes(p, end, is_taken, v.tag);
                case 4:
                    set_form(Form::kImage);
                    return take_bytes(p, end, is_taken, data);
                case 5:
                    set_form(Form::kHistogram);
                    return take_bytes(p, end, is_taken, data);
                case 6:
                    set_form(Form::kAudio);
                    return take_bytes(p, end, is_taken, data);
                case 7:
                    return take_bytes(p, end, is_taken, v.node_name);
                case 8:
                    set_form(Form::kTensor);
                    return take_bytes(p, end, is_taken, tensor);
                case 9:
                    return take_bytes(p, end, is_taken, v.metadata);
                default:
                    return true;
            }
        });
    if (!ok) return false;
    if (v.has_data && v.form == Form::kTensor) {
        TensorScan scan;
        if (!scan_tensor(tensor, scan)) return false;
        v.has_number = scan.is_scalar;
        v.number = scan.value;
    }
    if (v.tag.size == 0) v.tag = v.node_name;
    return true;
}

bool parse_plugin(Span metadata, Span& name) {
    Span plugin_data;
    const bool ok = for_each_field(
        metadata, [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end, bool& is_taken) {
            if (field != 1 || type != wire::kBytes) return true;
            return take_bytes(p, end, is_taken, plugin_data);
        });
    return ok && for_each_field(plugin_data, [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end,
                                                 bool& is_taken) {
               if (field != 1 || type != wire::kBytes) return true;
               return take_bytes(p, end, is_taken, name);
           });
}

struct Event {
    double wall_time = 0;
    int64_t step = 0;
    Span file_version, graph, log_message, session_log, run_metadata, meta_graph, source;
    bool has_summary = false;
};

bool parse_event(Span bytes, Event& e) {
    return for_each_field(bytes,
                          [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end, bool& is_taken) {
                              if (field == 1 && type == wire::kFixed64) {
                                  is_taken = true;
                                  return wire::read_fixed(p, end, e.wall_time);
                              }
                              if (field == 2 && type == wire::kVarint) {
                                  uint64_t step;
                                  is_taken = true;
                                  if (!wire::read_varint(p, end, step)) return false;
                                  e.step = static_cast<int64_t>(step);
                                  return true;
                              }
                              if (type != wire::kBytes) return true;
                              switch (field) {
                                  case 3:
                                      return take_bytes(p, end, is_taken, e.file_version);
                                  case 4:
                                      return take_bytes(p, end, is_taken, e.graph);
                                  case 5:
                                      e.has_summary = true;
                                      return true;  // values are parsed afterwards, when step and wall time are known
                                  case 6:
                                      return take_bytes(p, end, is_taken, e.log_message);
                                  case 7:
                                      return take_bytes(p, end, is_taken, e.session_log);
                                  case 8:
                                      return take_bytes(p, end, is_taken, e.run_metadata);
                                  case 9:
                                      return take_bytes(p, end, is_taken, e.meta_graph);
                                  case 10:
                                      return take_bytes(p, end, is_taken, e.source);
                                  default:
                                      return true;
                              }
                          });
}

// Calls take(value bytes) for each value of each summary in the event, in order.
template <class Take>
bool for_each_value(Span event, Take&& take) {
    return for_each_field(
        event, [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end, bool& is_taken) {
            if (field != 5 || type != wire::kBytes) return true;
            Span summary;
            if (!take_bytes(p, end, is_taken, summary)) return false;
            return for_each_field(
                summary, [&](uint32_t f, uint32_t t, const uint8_t*& q, const uint8_t* summary_end, bool& taken) {
                    if (f != 1 || t != wire::kBytes) return true;
                    Span value;
                    return take_bytes(q, summary_end, taken, value) && take(value);
                });
        });
}

// The length-delimited field with this number; empty when there is none.
bool find_bytes(Span message, uint32_t wanted, Span& out) {
    return for_each_field(message,
                          [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end, bool& is_taken) {
                              if (field != wanted || type != wire::kBytes) return true;
                              return take_bytes(p, end, is_taken, out);
                          });
}

bool parse_session_log(Span message, uint64_t& status) {
    status = 0;
    return for_each_field(message,
                          [&](uint32_t field, uint32_t type, const uint8_t*& p, const uint8_t* end, bool& is_taken) {
                              if (field != 1 || type != wire::kVarint) return true;
                              is_taken = true;
                              return wire::read_varint(p, end, status);
                          });
}

class Adder {
public:
    Adder(const Event& event, const uint8_t* data, uint64_t file_offset, Batch& batch)
        : event_(event), data_(data), file_offset_(file_offset), batch_(batch) {}

    void add_reference(std::string_view tag, Form form, Span bytes) { add_reference(batch_.slot(tag), form, bytes); }

    void add_value(const Value& v) {
        TagSlot& slot = batch_.slot(text(v.tag));
        if (v.metadata && !slot.has_metadata) {
            Span plugin;
            parse_plugin(v.metadata, plugin);  // was checked before; a name that is not there stays empty
            const bool is_plain = plugin.size == 0 || text(plugin) == "scalars";
            batch_.set_metadata(slot, v.metadata.size <= kMaxMetadataBytes ? text(v.metadata) : shortened(plugin),
                                is_plain);
        }
        if (!v.has_data && !v.metadata) return;
        if (v.form == Form::kScalar) {
            batch_.add_scalar(slot, event_.step, event_.wall_time, v.number);
        } else if (v.has_number) {
            batch_.add_scalar(slot, event_.step, event_.wall_time, v.number);
            if (slot.plugin != PluginKnowledge::kNoneOrScalars) add_reference(slot, Form::kScalarTensor, v.bytes);
        } else {
            add_reference(slot, v.form, v.bytes);
        }
    }

private:
    void add_reference(TagSlot& slot, Form form, Span bytes) {
        batch_.add_reference(slot, form, event_.step, event_.wall_time,
                             file_offset_ + static_cast<uint64_t>(bytes.data - data_), bytes.size);
    }

    // Metadata that is too large to hold: only the plugin's name, as a message of the same form.
    std::string_view shortened(Span plugin) {
        const size_t n = std::min<size_t>(plugin.size, 0x7F - 2);
        short_.clear();
        for (const size_t byte : {size_t{0x0A}, n + 2, size_t{0x0A}, n}) short_.push_back(static_cast<char>(byte));
        short_.append(text(plugin).substr(0, n));
        return short_;
    }

    const Event& event_;
    const uint8_t* data_;
    uint64_t file_offset_;
    Batch& batch_;
    std::string short_;
};

}  // namespace

std::string_view plugin_name(std::string_view metadata) {
    Span name;
    parse_plugin({reinterpret_cast<const uint8_t*>(metadata.data()), metadata.size()}, name);
    return text(name);
}

bool looks_like_event(const uint8_t* data, size_t size, double& wall_time) {
    Event event;
    if (size == 0 || !parse_event({data, size}, event)) return false;
    wall_time = event.wall_time;
    Value value;
    return for_each_value({data, size}, [&](Span bytes) { return parse_value(bytes, value); });
}

bool decode_tensor_scalar(const uint8_t* data, size_t size, Batch& batch) {
    // 09 <8: wall time> [10 <step>] 2A <n> 0A <n> 0A <n> <tag> 42 <n> <tensor> [4A <n> <metadata>]
    const uint8_t* p = data;
    const uint8_t* const end = data + size;
    if (size < 9 || *p != 0x09) return false;
    double wall_time;
    std::memcpy(&wall_time, p + 1, 8);
    p += 9;
    uint64_t step = 0;
    if (p < end && *p == 0x10 && !wire::read_varint(++p, end, step)) return false;
    Span summary;
    Span value;
    Span tag;
    Span tensor;
    const auto takes = [&](uint8_t key, const uint8_t*& at, const uint8_t* stop, Span& out) {
        return at < stop && *at == key && wire::read_bytes(++at, stop, out);
    };
    if (!takes(0x2A, p, end, summary) || p != end) return false;
    p = summary.data;
    if (!takes(0x0A, p, end, value) || p != end) return false;
    p = value.data;
    if (!takes(0x0A, p, end, tag) || tag.size == 0 || !takes(0x42, p, end, tensor)) return false;
    // 08 01: float; 12 00: no dimensions; then the number as content, as a packed list or alone.
    constexpr uint8_t kFloatNoDimensions[] = {0x08, 0x01, 0x12, 0x00};
    const uint8_t* t = tensor.data;
    if (tensor.size < 9 || std::memcmp(t, kFloatNoDimensions, 4) != 0) return false;
    const bool is_list = tensor.size == 10 && (t[4] == 0x22 || t[4] == 0x2A) && t[5] == 4;
    if (!is_list && !(tensor.size == 9 && t[4] == 0x2D)) return false;
    float number;
    std::memcpy(&number, tensor.end() - 4, 4);

    TagSlot& slot = batch.slot(text(tag));
    if (slot.plugin != PluginKnowledge::kNoneOrScalars) return false;
    Span metadata;
    if (p < end && !(takes(0x4A, p, end, metadata) && p == end && slot.has_metadata && text(metadata) == slot.metadata))
        return false;
    batch.add_scalar(slot, static_cast<int64_t>(step), wall_time, number);
    batch.note_wall_time(wall_time);
    return true;
}

bool decode_event(const uint8_t* data, size_t size, uint64_t file_offset, Batch& batch) {
    Event event;
    const Span whole{data, size};
    if (!parse_event(whole, event)) return false;

    // Check everything before adding anything: a record is kept whole or not at all.
    Value value;
    size_t value_count = 0;
    if (event.has_summary) {
        const bool ok = for_each_value(whole, [&](Span bytes) {
            Span plugin;
            ++value_count;
            return parse_value(bytes, value) && parse_plugin(value.metadata, plugin);
        });
        if (!ok) return false;
    }
    Span run_metadata_tag;
    Span writer;
    uint64_t session_status = 0;
    if (!find_bytes(event.run_metadata, 1, run_metadata_tag) || !find_bytes(event.source, 1, writer) ||
        !parse_session_log(event.session_log, session_status))
        return false;

    Adder adder(event, data, file_offset, batch);
    if (value_count == 1) {
        adder.add_value(value);
    } else if (value_count > 1) {
        for_each_value(whole, [&](Span bytes) {
            parse_value(bytes, value);
            adder.add_value(value);
            return true;
        });
    }
    if (event.file_version && batch.file_version.empty()) batch.created_wall_time = event.wall_time;
    if (event.file_version && batch.file_version.empty()) batch.file_version = text(event.file_version).substr(0, 64);
    if (writer && batch.source_writer.empty()) batch.source_writer = text(writer).substr(0, 256);
    if (event.graph) adder.add_reference(kGraphTag, Form::kGraph, event.graph);
    if (event.meta_graph) adder.add_reference(kMetaGraphTag, Form::kMetaGraph, event.meta_graph);
    if (event.run_metadata) adder.add_reference(text(run_metadata_tag), Form::kRunMetadata, event.run_metadata);
    if (event.log_message) adder.add_reference(kLogMessageTag, Form::kLogMessage, event.log_message);
    if (session_status == kSessionStart) batch.add_start(event.step, event.wall_time);
    // TensorFlow stamps the version event in whole seconds: too coarse to tell a restart from a parallel writer.
    if (!event.file_version) batch.note_wall_time(event.wall_time);
    return true;
}

}  // namespace sightline
