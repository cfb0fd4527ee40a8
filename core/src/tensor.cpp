#include "sightline/tensor.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace sightline {
namespace {

// Numbers of TensorFlow's DataType enum.
enum DataType : uint32_t {
    kFloat = 1,
    kDouble = 2,
    kInt32 = 3,
    kUint8 = 4,
    kInt16 = 5,
    kInt8 = 6,
    kInt64 = 9,
    kBool = 10,
    kQint8 = 11,
    kQuint8 = 12,
    kQint32 = 13,
    kBfloat16 = 14,
    kQint16 = 15,
    kQuint16 = 16,
    kUint16 = 17,
    kHalf = 19,
    kUint32 = 22,
    kUint64 = 23,
    kFloat8E5M2 = 24,
    kFloat8E4M3FN = 25,
    kFloat8E4M3FNUZ = 26,
    kFloat8E4M3B11FNUZ = 27,
    kFloat8E5M2FNUZ = 28,
    kInt4 = 29,
    kUint4 = 30,
    kInt2 = 31,
    kUint2 = 32,
    kFloat4E2M1FN = 33,
};
constexpr uint32_t kReferenceTypeOffset = 100;

// TensorProto keeps each family of types in a list of its own.
enum ValueList : uint8_t {
    kFloatVal,
    kDoubleVal,
    kIntVal,
    kInt64Val,
    kBoolVal,
    kHalfVal,
    kUint32Val,
    kUint64Val,
    kFloat8Val,
    kNone,
};

struct ListField {
    uint32_t number;
    uint32_t type;  // of a single element
};
constexpr std::array<ListField, kNone> kListFields = {{{5, wire::kFixed32},
                                                       {6, wire::kFixed64},
                                                       {7, wire::kVarint},
                                                       {10, wire::kVarint},
                                                       {11, wire::kVarint},
                                                       {13, wire::kVarint},
                                                       {16, wire::kVarint},
                                                       {17, wire::kVarint},
                                                       {18, wire::kBytes}}};

struct SeenList {
    uint64_t count = 0;
    uint64_t first_bits = 0;  // first element, as it lies on the wire
};

struct Fields {
    uint32_t dtype = 0;
    bool has_unknown_rank = false;
    bool has_shape_error = false;
    uint64_t element_count = 1;
    size_t rank = 0;
    std::array<uint64_t, 2> size{};  // of the first two dimensions
    wire::Span content;
    wire::Span float8;
    std::array<SeenList, kNone> lists{};
};

bool scan_shape(wire::Span bytes, Fields& f) {
    const uint8_t* p = bytes.data;
    const uint8_t* end = bytes.end();
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!wire::read_tag(p, end, field, type)) return false;
        if (field == 2 && type == wire::kBytes) {
            wire::Span dim;
            if (!wire::read_bytes(p, end, dim)) return false;
            uint64_t size = 0;
            const uint8_t* q = dim.data;
            while (q < dim.end()) {
                uint32_t dim_field;
                uint32_t dim_type;
                if (!wire::read_tag(q, dim.end(), dim_field, dim_type)) return false;
                if (dim_field == 1 && dim_type == wire::kVarint) {
                    if (!wire::read_varint(q, dim.end(), size)) return false;
                } else if (!wire::skip_value(q, dim.end(), dim_field, dim_type)) {
                    return false;
                }
            }
            if (f.rank < f.size.size()) f.size[f.rank] = size;
            ++f.rank;
            if (static_cast<int64_t>(size) < 0) {
                f.has_unknown_rank = true;  // -1: not known; the data decide
            } else if (size != 0 && f.element_count > std::numeric_limits<uint64_t>::max() / size) {
                f.has_shape_error = true;
            } else {
                f.element_count *= size;
            }
        } else if (field == 3 && type == wire::kVarint) {
            uint64_t unknown;
            if (!wire::read_varint(p, end, unknown)) return false;
            f.has_unknown_rank = f.has_unknown_rank || unknown != 0;
        } else if (!wire::skip_value(p, end, field, type)) {
            return false;
        }
    }
    return true;
}

void note(Fields& f, ValueList list, uint64_t bits, uint64_t count) {
    SeenList& seen = f.lists[list];
    if (seen.count == 0) seen.first_bits = bits;
    seen.count += count;
}

// One occurrence of a repeated number: packed (a run of them, which are counted) or a single one.
bool scan_numbers(const uint8_t*& p, const uint8_t* end, uint32_t field, uint32_t type, ValueList list, Fields& f) {
    const uint32_t unpacked = kListFields[list].type;
    if (type != unpacked && type != wire::kBytes) return wire::skip_value(p, end, field, type);
    uint64_t bits = 0;
    if (type == unpacked) {
        if (!wire::read_number(p, end, type, bits)) return false;
        note(f, list, bits, 1);
        return true;
    }
    wire::Span packed;
    if (!wire::read_bytes(p, end, packed)) return false;
    if (packed.size == 0) return true;
    const uint8_t* q = packed.data;
    uint64_t count = 0;
    if (unpacked == wire::kVarint) {
        if (!wire::read_varint(q, packed.end(), bits)) return false;
        // Bytes without a continuation bit end a number; the first number is already read.
        count = 1;
        for (; q < packed.end(); ++q) count += *q < 0x80;
        if (packed.data[packed.size - 1] >= 0x80) return false;
    } else {
        const size_t width = unpacked == wire::kFixed32 ? 4 : 8;
        if (packed.size % width != 0) return false;
        std::memcpy(&bits, packed.data, width);
        count = packed.size / width;
    }
    note(f, list, bits, count);
    return true;
}

// A field whose wire type is not the declared one counts as unknown, as in every protobuf parser.
bool scan_field(const uint8_t*& p, const uint8_t* end, uint32_t field, uint32_t type, Fields& f) {
    const bool is_bytes = type == wire::kBytes;
    wire::Span bytes;
    switch (field) {
        case 1: {
            if (type != wire::kVarint) break;
            uint64_t number;
            if (!wire::read_varint(p, end, number)) return false;
            f.dtype = static_cast<uint32_t>(number);
            if (f.dtype > kReferenceTypeOffset) f.dtype -= kReferenceTypeOffset;
            return true;
        }
        case 2:
            if (!is_bytes) break;
            return wire::read_bytes(p, end, bytes) && scan_shape(bytes, f);
        case 4:
            if (!is_bytes) break;
            return wire::read_bytes(p, end, f.content);
        case 18:
            if (!is_bytes) break;
            if (!wire::read_bytes(p, end, f.float8)) return false;
            f.lists[kFloat8Val] = {f.float8.size, f.float8.size > 0 ? f.float8.data[0] : uint64_t{0}};
            return true;
        default:
            for (uint8_t list = 0; list < kFloat8Val; ++list)
                if (kListFields[list].number == field)
                    return scan_numbers(p, end, field, type, static_cast<ValueList>(list), f);
    }
    return wire::skip_value(p, end, field, type);
}

bool scan_fields(wire::Span bytes, Fields& f) {
    const uint8_t* p = bytes.data;
    const uint8_t* end = bytes.end();
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!wire::read_tag(p, end, field, type) || !scan_field(p, end, field, type, f)) return false;
    }
    return true;
}

// A small binary floating-point number: sign, exponent and mantissa bits with the given bias. `has_infinity`
// follows IEEE; without it the formats differ in what stands for NaN, which the callers handle.
double small_float(uint32_t bits, int exponent_bits, int mantissa_bits, int bias, bool has_infinity) {
    const uint32_t mantissa_mask = (1U << mantissa_bits) - 1;
    const uint32_t exponent_mask = (1U << exponent_bits) - 1;
    const bool is_negative = (bits >> (exponent_bits + mantissa_bits)) & 1;
    const uint32_t exponent = (bits >> mantissa_bits) & exponent_mask;
    const uint32_t mantissa = bits & mantissa_mask;
    double magnitude;
    if (has_infinity && exponent == exponent_mask) {
        magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
        magnitude = std::ldexp(static_cast<double>(mantissa), 1 - bias - mantissa_bits);
    } else {
        magnitude = std::ldexp(static_cast<double>(mantissa | (mantissa_mask + 1)),
                               static_cast<int>(exponent) - bias - mantissa_bits);
    }
    return is_negative ? -magnitude : magnitude;
}

double float8(uint32_t dtype, uint32_t bits) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    switch (dtype) {
        case kFloat8E5M2:
            return small_float(bits, 5, 2, 15, true);
        case kFloat8E4M3FN:
            return (bits & 0x7F) == 0x7F ? nan : small_float(bits, 4, 3, 7, false);
        case kFloat8E4M3FNUZ:
            return bits == 0x80 ? nan : small_float(bits, 4, 3, 8, false);
        case kFloat8E4M3B11FNUZ:
            return bits == 0x80 ? nan : small_float(bits, 4, 3, 11, false);
        case kFloat8E5M2FNUZ:
            return bits == 0x80 ? nan : small_float(bits, 5, 2, 16, false);
        default:
            return small_float(bits & 0xF, 2, 1, 1, false);  // kFloat4E2M1FN has no NaN
    }
}

double sign_extended(uint64_t bits, int width) {
    return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

double half(uint32_t dtype, uint64_t bits) {
    // torch's add_tensor stores the float32 pattern here; no 16-bit pattern is that large.
    if (bits > 0xFFFF) return std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (dtype == kBfloat16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    return small_float(static_cast<uint32_t>(bits), 5, 10, 15, true);
}

size_t item_size(uint32_t dtype) {
    switch (dtype) {
        case kDouble:
        case kInt64:
        case kUint64:
            return 8;
        case kFloat:
        case kInt32:
        case kQint32:
        case kUint32:
            return 4;
        case kInt16:
        case kUint16:
        case kQint16:
        case kQuint16:
        case kHalf:
        case kBfloat16:
            return 2;
        case kUint8:
        case kInt8:
        case kBool:
        case kQint8:
        case kQuint8:
        case kFloat8E5M2:
        case kFloat8E4M3FN:
        case kFloat8E4M3FNUZ:
        case kFloat8E4M3B11FNUZ:
        case kFloat8E5M2FNUZ:
        case kInt4:
        case kUint4:
        case kInt2:
        case kUint2:
        case kFloat4E2M1FN:
            return 1;
        default:
            return 0;  // strings, complex numbers, resources: not a number on an axis
    }
}

// `bits` holds the element's own bytes (little-endian) or its value from a varint list; both agree in the low bits.
double number_from_bits(uint32_t dtype, uint64_t bits) {
    switch (dtype) {
        case kFloat:
            return std::bit_cast<float>(static_cast<uint32_t>(bits));
        case kDouble:
            return std::bit_cast<double>(bits);
        case kInt32:
        case kQint32:
            return sign_extended(bits, 32);
        case kInt16:
        case kQint16:
            return sign_extended(bits, 16);
        case kInt8:
        case kQint8:
            return sign_extended(bits, 8);
        case kInt4:
            return sign_extended(bits, 4);
        case kInt2:
            return sign_extended(bits, 2);
        case kInt64:
            return static_cast<double>(static_cast<int64_t>(bits));
        case kUint64:
            return static_cast<double>(bits);
        case kUint32:
            return static_cast<double>(bits & 0xFFFFFFFFU);
        case kUint16:
        case kQuint16:
            return static_cast<double>(bits & 0xFFFF);
        case kUint8:
        case kQuint8:
            return static_cast<double>(bits & 0xFF);
        case kUint4:
            return static_cast<double>(bits & 0xF);
        case kUint2:
            return static_cast<double>(bits & 0x3);
        case kBool:
            return bits != 0 ? 1 : 0;
        case kHalf:
        case kBfloat16:
            return half(dtype, bits);
        default:
            return float8(dtype, static_cast<uint32_t>(bits & 0xFF));
    }
}

// Where to look for elements, best first. Other lists than the proper one are for writers that get it wrong: torch puts
// uint8 into uint32_val, TensorFlow once put 8-bit floats into half_val.
std::span<const ValueList> lists_of(uint32_t dtype) {
    static constexpr ValueList kFloats[] = {kFloatVal, kDoubleVal};
    static constexpr ValueList kDoubles[] = {kDoubleVal, kFloatVal};
    static constexpr ValueList kHalves[] = {kHalfVal};
    static constexpr ValueList kSmallFloats[] = {kFloat8Val, kHalfVal,   kIntVal, kInt64Val,
                                                 kUint32Val, kUint64Val, kBoolVal};
    static constexpr ValueList kInt64s[] = {kInt64Val, kIntVal, kUint32Val, kUint64Val, kBoolVal};
    static constexpr ValueList kUint32s[] = {kUint32Val, kIntVal, kInt64Val, kUint64Val, kBoolVal};
    static constexpr ValueList kUint64s[] = {kUint64Val, kIntVal, kInt64Val, kUint32Val, kBoolVal};
    static constexpr ValueList kBools[] = {kBoolVal, kIntVal, kInt64Val, kUint32Val, kUint64Val};
    static constexpr ValueList kIntegers[] = {kIntVal, kInt64Val, kUint32Val, kUint64Val, kBoolVal};
    switch (dtype) {
        case kFloat:
            return kFloats;
        case kDouble:
            return kDoubles;
        case kHalf:
        case kBfloat16:
            return kHalves;
        case kInt64:
            return kInt64s;
        case kUint32:
            return kUint32s;
        case kUint64:
            return kUint64s;
        case kBool:
            return kBools;
        case kFloat8E5M2:
        case kFloat8E4M3FN:
        case kFloat8E4M3FNUZ:
        case kFloat8E4M3B11FNUZ:
        case kFloat8E5M2FNUZ:
        case kFloat4E2M1FN:
            return kSmallFloats;
        default:
            return kIntegers;
    }
}

// The first list that holds anything; kNone: writers may leave out values that are all zero.
ValueList chosen_list(const Fields& f) {
    for (const ValueList list : lists_of(f.dtype))
        if (f.lists[list].count > 0) return list;
    return kNone;
}

double number_from_list(uint32_t dtype, ValueList list, uint64_t bits) {
    switch (list) {
        case kFloatVal:
            return std::bit_cast<float>(static_cast<uint32_t>(bits));
        case kDoubleVal: {
            const auto number = std::bit_cast<double>(bits);
            return dtype == kFloat ? static_cast<float>(number) : number;
        }
        case kIntVal:
            return number_from_bits(dtype, static_cast<uint64_t>(static_cast<int32_t>(bits)));
        case kUint32Val:
        case kHalfVal:
            return number_from_bits(dtype, bits & 0xFFFFFFFFU);
        case kBoolVal:
            return number_from_bits(dtype, bits != 0);
        default:
            return number_from_bits(dtype, bits);
    }
}

void add_content(const Fields& f, size_t width, std::vector<double>& out) {
    for (const uint8_t* p = f.content.data; p < f.content.end(); p += width) {
        uint64_t bits = 0;
        std::memcpy(&bits, p, width);
        out.push_back(number_from_bits(f.dtype, bits));
    }
}

bool add_list(wire::Span tensor, const Fields& f, ValueList list, std::vector<double>& out) {
    const auto add = [&](uint64_t bits) { out.push_back(number_from_list(f.dtype, list, bits)); };
    if (list != kFloat8Val) return wire::for_each_number(tensor, kListFields[list].number, kListFields[list].type, add);
    for (const uint8_t* p = f.float8.data; p < f.float8.end(); ++p) add(*p);
    return true;
}

}  // namespace

bool scan_tensor(wire::Span bytes, TensorScan& out) {
    Fields f;
    if (!scan_fields(bytes, f)) return false;
    out = {};
    const size_t width = item_size(f.dtype);
    if (width == 0 || f.has_shape_error) return true;
    const bool has_content = f.content.size > 0;
    const ValueList list = chosen_list(f);
    const uint64_t list_count = list == kNone ? 0 : f.lists[list].count;
    const bool is_single =
        f.has_unknown_rank ? (has_content ? f.content.size == width : list_count == 1) : f.element_count == 1;
    if (!is_single) return true;
    if (has_content) {
        if (f.content.size != width) return true;
        uint64_t bits = 0;
        std::memcpy(&bits, f.content.data, width);
        out = {true, number_from_bits(f.dtype, bits)};
    } else {
        out = {true, list == kNone ? 0 : number_from_list(f.dtype, list, f.lists[list].first_bits)};
    }
    return true;
}

bool read_table(wire::Span bytes, NumberTable& out) {
    Fields f;
    if (!scan_fields(bytes, f)) return false;
    const size_t width = item_size(f.dtype);
    if (width == 0 || f.has_shape_error || f.has_unknown_rank || f.rank != 2) return false;
    if (f.element_count > kMostElements) return false;
    out.rows = f.size[0];
    out.columns = f.size[1];
    out.numbers.clear();
    const auto count = static_cast<size_t>(f.element_count);
    if (f.content.size > 0) {
        if (f.content.size != count * width) return false;
        add_content(f, width, out.numbers);
        return true;
    }
    if (count == 0) return true;  // nothing can be in it, whatever was listed
    const ValueList list = chosen_list(f);
    if (list != kNone && (f.lists[list].count > count || !add_list(bytes, f, list, out.numbers))) return false;
    const double last = out.numbers.empty() ? 0 : out.numbers.back();
    out.numbers.resize(count, last);
    return true;
}

}  // namespace sightline
