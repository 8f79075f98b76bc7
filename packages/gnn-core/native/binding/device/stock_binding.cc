// What stock ops of TensorFlow.js compute, on the device: tasks and decoders are written in them.
#include "../export_kernel.h"
#include "device.h"
#include "gnn/cuda/dense/rows.h"
#include "gnn/cuda/math/elementwise.h"
#include "gnn/cuda/math/reduce.h"

namespace hopwise {
namespace {

namespace cuda = gnn::cuda;

template <typename Op>
Op read_op(Arguments& arguments) {
  const int64_t op = arguments.count("op");
  if (op >= static_cast<int64_t>(Op::kEnd)) arguments.fail("There is no op of this number.");
  return static_cast<Op>(op);
}

Napi::Value apply_unary(Arguments& arguments) {
  cuda::ApplyUnary op{};
  op.op = read_op<cuda::Unary>(arguments);
  op.count = arguments.length_of_next();
  op.x = arguments.floats("x", op.count);
  op.parameter = static_cast<float>(arguments.number("parameter"));
  op.out = arguments.floats("out", op.count);
  cuda::apply_unary(stream(), op);
  return arguments.env().Undefined();
}

struct OperandNames {
  const char *data, *row, *column, *value;
};

cuda::Operand read_operand(Arguments& arguments, const OperandNames& names, int64_t rows, int64_t columns) {
  cuda::Operand of{};
  const int64_t count = arguments.length_of_next();
  of.data = arguments.optional_floats(names.data, count);
  of.row_step = arguments.count(names.row);
  of.column_step = arguments.count(names.column);
  of.value = static_cast<float>(arguments.number(names.value));
  const bool is_read = of.data != nullptr && rows > 0 && columns > 0;
  if (is_read && (rows - 1) * of.row_step + (columns - 1) * of.column_step >= count) {
    arguments.fail(std::string(names.data) + " ends before what is read of it.");
  }
  return of;
}

Napi::Value apply_binary(Arguments& arguments) {
  cuda::ApplyBinary op{};
  op.op = read_op<cuda::Binary>(arguments);
  op.rows = arguments.count("rows");
  op.columns = arguments.count("columns");
  op.a = read_operand(arguments, {"a", "aRow", "aColumn", "aValue"}, op.rows, op.columns);
  op.b = read_operand(arguments, {"b", "bRow", "bColumn", "bValue"}, op.rows, op.columns);
  op.out = arguments.floats("out", op.rows * op.columns);
  cuda::apply_binary(stream(), op);
  return arguments.env().Undefined();
}

Napi::Value sum_all(Arguments& arguments) {
  const int64_t count = arguments.length_of_next();
  const float* x = arguments.floats("x", count);
  cuda::sum_all(stream(), count, x, arguments.floats("sum", 1));
  return arguments.env().Undefined();
}

Napi::Value sum_rows(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), columns = arguments.count("columns");
  const float* x = arguments.floats("x", rows * columns);
  cuda::row_sums(stream(), rows, columns, x, arguments.floats("sums", rows));
  return arguments.env().Undefined();
}

Napi::Value sum_columns(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), columns = arguments.count("columns");
  const float* x = arguments.floats("x", rows * columns);
  cuda::column_sums(stream(), rows, columns, x, arguments.floats("sums", columns));
  return arguments.env().Undefined();
}

Napi::Value softmax_rows(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), columns = arguments.count("columns");
  const float* x = arguments.floats("x", rows * columns);
  cuda::softmax_rows(stream(), rows, columns, x, arguments.floats("out", rows * columns));
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<apply_unary>(env, exports,
      "applyUnary(op: number, x: FloatsHandle, parameter: number, out: FloatsHandle)");
  export_kernel<apply_binary>(env, exports,
      "applyBinary(op: number, rows: number, columns: number, a: FloatsHandle | null, aRow: number, aColumn: number, "
      "aValue: number, b: FloatsHandle | null, bRow: number, bColumn: number, bValue: number, out: FloatsHandle)");
  export_kernel<sum_all>(env, exports, "sumAll(x: FloatsHandle, sum: FloatsHandle)");
  export_kernel<sum_rows>(env, exports, "sumRows(rows: number, columns: number, x: FloatsHandle, sums: FloatsHandle)");
  export_kernel<sum_columns>(env, exports,
      "sumColumns(rows: number, columns: number, x: FloatsHandle, sums: FloatsHandle)");
  export_kernel<softmax_rows>(env, exports,
      "softmaxRows(rows: number, columns: number, x: FloatsHandle, out: FloatsHandle)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
