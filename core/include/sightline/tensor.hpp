// TensorProto: a single number while files are read, and a table of numbers when somebody asks for a value.
//
// Tensors of other shapes, and those of strings, are decoded on demand, in Python, from the bytes in the file.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/wire.hpp"

namespace sightline {

struct TensorScan {
    bool is_scalar = false;  // exactly one element of a real-valued numeric type
    double value = 0;        // that element, widened
};

// False when the bytes are not a TensorProto.
bool scan_tensor(wire::Span bytes, TensorScan& out);

// Most elements of a table that are decoded: a few bytes can name a shape of any size, whose elements are all the same.
inline constexpr uint64_t kMostElements = 1 << 22;

struct NumberTable {
    uint64_t rows = 0;
    uint64_t columns = 0;
    std::vector<double> numbers;  // row by row
};

// A tensor of two dimensions and real numbers, widened. False for anything else, and beyond kMostElements. Fewer elements
// than the shape has room for are continued with the last one, or with zeros, as TensorFlow does.
bool read_table(wire::Span bytes, NumberTable& out);

}  // namespace sightline
