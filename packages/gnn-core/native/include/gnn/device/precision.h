#pragma once

namespace gnn::device {

// What products of matrices multiply with; they add up in float32 in any case. TF32 keeps 10 bits of a factor's
// fraction, bfloat16 7: tensor cores take them 8 and 16 times as fast as float32.
enum class Precision { kFp32, kTf32, kBf16 };

}  // namespace gnn::device
