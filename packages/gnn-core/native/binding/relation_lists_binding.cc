// Sorts the edges of a block by relation, on the processor.
#include "arrays.h"
#include "export_kernel.h"
#include "promise_worker.h"
#include "relation_arguments.h"

namespace hopwise {
namespace {

Napi::Value to_object(Napi::Env env, gnn::RelationLists&& lists) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("relations", to_recycled_array(env, std::move(lists.relations)));
  object.Set("rows", to_recycled_array(env, std::move(lists.rows)));
  object.Set("indptr", to_recycled_array(env, std::move(lists.indptr)));
  object.Set("entries", to_recycled_array(env, std::move(lists.entries)));
  return object;
}

Napi::Value relations_by_dst(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t num_relations = arguments.count("numRelations");
  const int32_t* types = arguments.ids("types", block.num_edges, num_relations);
  return to_object(arguments.env(), gnn::relations_by_dst(block, types, num_relations));
}

Napi::Value relations_by_src(Arguments& arguments) {
  const RelationSizes sizes = read_relation_sizes(arguments);
  return to_object(arguments.env(), gnn::relations_by_src(read_by_dst(arguments, sizes), sizes.num_src));
}

struct SortedBothWays {
  gnn::RelationLists by_dst, by_src;
};

// As both of them, on libuv's pool.
Napi::Value sort_relations(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  const gnn::BlockView block = arguments.block(true);
  const int64_t num_relations = arguments.count("numRelations");
  const int32_t* types = arguments.ids("types", block.num_edges, num_relations);
  return PromiseWorker<SortedBothWays>::start(
      info.Env(), {info[0], info[2]},
      [block, types, num_relations] {
        gnn::RelationLists by_dst = gnn::relations_by_dst(block, types, num_relations);
        gnn::RelationLists by_src = gnn::relations_by_src(by_dst.view(), block.num_src);
        return SortedBothWays{std::move(by_dst), std::move(by_src)};
      },
      [](Napi::Env env, SortedBothWays&& sorted) {
        Napi::Object object = Napi::Object::New(env);
        object.Set("byDst", to_object(env, std::move(sorted.by_dst)));
        object.Set("bySrc", to_object(env, std::move(sorted.by_src)));
        return object;
      });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<sort_relations>(env, exports,
      "sortRelations(block: NativeBlock, numRelations: number, types: Int32Array)");
  export_kernel<relations_by_dst>(env, exports,
      "relationsByDst(block: NativeBlock, numRelations: number, types: Int32Array)");
  export_kernel<relations_by_src>(env, exports,
      "relationsBySrc(numSrc: number, numDst: number, numEdges: number, numRelations: number, numByDst: number, "
      "relations: Int32Array, rows: Int32Array, indptr: Int32Array, entries: Int32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
