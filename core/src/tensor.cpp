#include "sightline/tensor.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

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

// Which numbers of which field were seen: TensorProto keeps each family of types in a list of its own.
enum ValueList { kNone, kFloatVal, kDoubleVal, kVarintVal, kHalfVal, kFloat8Val };

struct Fields {
    uint32_t dtype = 0;
    bool has_unknown_rank = false;
    bool has_shape_error = false;
    uint64_t element_count = 1;
    wire::Span content;
    ValueList list = kNone;
    uint64_t list_count = 0;
    uint64_t first_bits = 0;  // first element of the list, as it lies on the wire
};

bool scan_shape(wire::Span bytes, Fields& f) {
    const uint8_t* p = bytes.data;
    const uint8_t* end = bytes.end();
    f.element_count = 1;
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
    if (f.list == kNone) {
        f.list = list;
        f.first_bits = bits;
    }
    f.list_count += count;
}

// One occurrence of a repeated number: packed (a run of them) or a single one.
bool scan_numbers(const uint8_t*& p, const uint8_t* end, uint32_t field, uint32_t type, ValueList list,
                  uint32_t unpacked, Fields& f) {
    if (type != unpacked && type != wire::kBytes) return wire::skip_value(p, end, field, type);
    if (type == unpacked) {
        uint64_t bits = 0;
        if (unpacked == wire::kVarint) {
            if (!wire::read_varint(p, end, bits)) return false;
        } else if (unpacked == wire::kFixed32) {
            uint32_t narrow;
            if (!wire::read_fixed(p, end, narrow)) return false;
            bits = narrow;
        } else if (!wire::read_fixed(p, end, bits)) {
            return false;
        }
        note(f, list, bits, 1);
        return true;
    }
    wire::Span packed;
    if (!wire::read_bytes(p, end, packed)) return false;
    if (packed.size == 0) return true;
    const uint8_t* q = packed.data;
    uint64_t bits = 0;
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
        case 5:
            return scan_numbers(p, end, field, type, kFloatVal, wire::kFixed32, f);
        case 6:
            return scan_numbers(p, end, field, type, kDoubleVal, wire::kFixed64, f);
        case 7:   // int_val
        case 10:  // int64_val
        case 11:  // bool_val
        case 16:  // uint32_val
        case 17:  // uint64_val
            return scan_numbers(p, end, field, type, kVarintVal, wire::kVarint, f);
        case 13:
            return scan_numbers(p, end, field, type, kHalfVal, wire::kVarint, f);
        case 18:
            if (!is_bytes) break;
            if (!wire::read_bytes(p, end, bytes)) return false;
            if (bytes.size > 0) note(f, kFloat8Val, bytes.data[0], bytes.size);
            return true;
        default:
            break;
    }
    return wire::skip_value(p, end, field, type);
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

double number_from_list(const Fields& f) {
    switch (f.list) {
        case kNone:
            return 0;  // writers may leave out values that are all zero
        case kFloatVal:
            return std::bit_cast<float>(static_cast<uint32_t>(f.first_bits));
        case kDoubleVal:
            return std::bit_cast<double>(f.first_bits);
        case kHalfVal:
            return half(f.dtype, f.first_bits);
        default:
            return number_from_bits(f.dtype, f.first_bits);
    }
}

}  // namespace

bool scan_tensor(wire::Span bytes, TensorScan& out) {
    Fields f;
    const uint8_t* p = bytes.data;
    const uint8_t* end = bytes.end();
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!wire::read_tag(p, end, field, type) || !scan_field(p, end, field, type, f)) return false;
    }
    out = {};
    const size_t width = item_size(f.dtype);
    if (width == 0 || f.has_shape_error) return true;
    const bool has_content = f.content.size > 0;
    const bool is_single =
        f.has_unknown_rank ? (has_content ? f.content.size == width : f.list_count == 1) : f.element_count == 1;
    if (!is_single) return true;
    if (has_content) {
        if (f.content.size != width) return true;
        uint64_t bits = 0;
        std::memcpy(&bits, f.content.data, width);
        out = {true, number_from_bits(f.dtype, bits)};
    } else {
        out = {true, number_from_list(f)};
    }
    return true;
}

}  // namespace sightline
