// TensorProto, looked at just closely enough to answer one question: is this a single number, and which?
//
// Everything else about a tensor is decoded on demand, in Python, from the bytes in the file.
#pragma once

#include <cstdint>

#include "sightline/wire.hpp"

namespace sightline {

struct TensorScan {
    bool is_scalar = false;  // exactly one element of a real-valued numeric type
    double value = 0;        // that element, widened
};

// False when the bytes are not a TensorProto.
bool scan_tensor(wire::Span bytes, TensorScan& out);

}  // namespace sightline
