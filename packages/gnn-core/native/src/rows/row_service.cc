#include "gnn/rows/row_service.h"

#include "gnn/rows/list_batch.h"
#include "gnn/rows/row_batch.h"
#include "row_client.h"
#include "row_server.h"
#include "tls_channel.h"
#include "zmq_socket.h"

namespace gnn {
namespace {

bool is_loopback(const std::string& address) { return address.rfind("127.", 0) == 0 || address == "::1"; }

// Characters of numeric addresses only, so that no name is looked up and no interface of all is meant.
void check_address(const RowServiceOptions& options) {
  const std::string& address = options.address;
  const bool is_numeric = !address.empty() &&
                          address.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos &&
                          address.find_first_of(".:") != std::string::npos;
  const bool is_any = address.find_first_not_of("0.:") == std::string::npos;
  if (!is_numeric || is_any) {
    throw Error("SPEC_INVALID", "The row service cannot listen on \"" + address +
                                    "\"; give it the numeric address of one interface.");
  }
  if (options.secret.empty() && !is_loopback(address)) {
    throw Error("SPEC_INVALID", "The row service on " + address + " needs the job's secret; only on a loopback address "
                                "does it run without.");
  }
  if (options.first_port < 0 || options.last_port > 65535 || options.first_port > options.last_port) {
    throw Error("SPEC_INVALID", "There are no ports from " + std::to_string(options.first_port) + " to " +
                                    std::to_string(options.last_port) + ".");
  }
}

}  // namespace

RowService::RowService(std::shared_ptr<RowStore> store, const RowServiceOptions& options,
                       std::function<void()> server_ended, std::function<void()> client_ended) {
  check_address(options);
  const auto key = options.secret.empty() ? nullptr : std::make_shared<TlsKey>(options.secret);
  const auto context = std::make_shared<ZmqContext>();
  server_ = std::make_unique<RowServer>(context, store, options, key);
  client_ = std::make_unique<RowClient>(context, store, key, options.timeout);
  endpoint_ = server_->endpoint();
  server_->start(std::move(server_ended));
  client_->start(std::move(client_ended));
}

RowService::~RowService() = default;

void RowService::connect(std::vector<std::string> endpoints, std::function<void(const Error*)> done) {
  client_->connect(std::move(endpoints), std::move(done));
}

void RowService::call(RowCall call) { client_->call(std::move(call)); }

RowCounters RowService::counters() const {
  RowCounters counters = client_->counters();
  counters.served_rows = server_->served_rows();
  counters.served_lists = server_->served_lists();
  counters.served_entries = server_->served_entries();
  counters.served_bytes = server_->served_bytes();
  return counters;
}

void RowService::close() {
  server_->stop();
  client_->stop();
}

namespace {

void draw_in_process(const std::vector<std::shared_ptr<RowStore>>& stores, const RowGroupCall& call,
                     RowCounters& counters) {
  const std::shared_ptr<ListTable> mine = stores[call.rank]->lists(call.table);
  const RowPlan plan = plan_rows(call.table, call.ids, call.count, mine->num_lists());
  std::vector<DrawnRange> drawn;
  for_each_owner(plan, mine->offsets(), [&](int owner, int64_t begin, int64_t end) {
    const std::shared_ptr<ListTable> lists = stores[owner]->find_lists(call.table);
    if (!lists || lists->offsets() != mine->offsets() || lists->has_values() != mine->has_values()) {
      throw Error("RANK_MISMATCH", "Rank " + std::to_string(owner) + " has no lists called \"" + call.table +
                                       "\" of this count and type; host the same on every rank.");
    }
    DrawnRange range{begin, {}};
    lists->draw(plan.ids.data() + begin, end - begin, call.draw, INT64_MAX, range.lists);
    if (owner != call.rank) {
      counters.remote_lists += static_cast<uint64_t>(end - begin);
      counters.remote_entries += range.lists.entries.size();
      counters.remote_bytes += 2 * static_cast<uint64_t>(end - begin) * sizeof(int32_t) +
                               range.lists.entries.size() * static_cast<uint64_t>(lists->entry_bytes());
    }
    drawn.push_back(std::move(range));
  });
  *call.lists = in_call_order(plan, drawn);
}

}  // namespace

void call_in_process(const std::vector<std::shared_ptr<RowStore>>& stores, const RowGroupCall& call,
                     RowCounters& counters) {
  if (call.op == RowOp::kDraw) return draw_in_process(stores, call, counters);
  const std::shared_ptr<RowTable> mine = stores[call.rank]->table(call.table);
  const RowSchema& schema = mine->schema();
  if (call.op != RowOp::kGet && schema.read_only) {
    throw Error("SPEC_INVALID", "The rows of \"" + call.table + "\" are read-only.");
  }
  if (call.op == RowOp::kAdd) require_addable(call.table, schema.dtype);
  const RowPlan plan = plan_rows(call.table, call.ids, call.count, schema.num_rows());
  const int64_t row_bytes = schema.row_bytes();
  std::vector<uint8_t> rows;
  if (call.op != RowOp::kGet) rows = reduce_rows(plan, call.op, schema, call.rows);
  counters.requested_rows += static_cast<uint64_t>(call.count);
  for_each_owner(plan, schema.offsets, [&](int owner, int64_t begin, int64_t end) {
    const std::shared_ptr<RowTable> table = stores[owner]->find(call.table);
    const bool agrees = table && table->schema().dtype == schema.dtype && table->schema().dim == schema.dim &&
                        table->schema().offsets == schema.offsets;
    if (!agrees) {
      throw Error("RANK_MISMATCH", "Rank " + std::to_string(owner) + " has no rows called \"" + call.table +
                                       "\" of this type, width and count; host the same on every rank.");
    }
    const auto count = static_cast<uint64_t>(end - begin);
    if (owner == call.rank) {
      counters.local_rows += count;
    } else {
      counters.remote_rows += count;
      counters.remote_bytes += count * (static_cast<uint64_t>(row_bytes) + sizeof(int32_t));
    }
    const int32_t* ids = plan.ids.data();
    if (call.op == RowOp::kGet) {
      std::vector<uint8_t> read((end - begin) * row_bytes);
      table->read(ids + begin, end - begin, read.data());
      scatter_rows(plan, begin, end, read.data(), row_bytes, call.out);
    } else {
      table->stage({call.rank, call.sequence, call.op, {ids + begin, ids + end},
                    {rows.data() + begin * row_bytes, rows.data() + end * row_bytes}});
    }
  });
}

}  // namespace gnn
