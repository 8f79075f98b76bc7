import { limits, problemFrom } from "@hopwise/contracts";
import { type ExecutionArgs, type ExecutionResult, type GraphQLError, OperationTypeNode, subscribe } from "graphql";
import { CloseCode, makeServer, type Server } from "graphql-ws";
import type { Services } from "../../services.ts";
import type { GraphqlContext } from "../base/builder.ts";
import { asGraphqlError, formatGraphqlErrors } from "../base/graphql-errors.ts";
import { Work } from "../base/work.ts";
import type { Operation, OperationRequest } from "../operations/read-operation.ts";
import { runOperation } from "../operations/run-operation.ts";
import { schema } from "../schema/schema.ts";
import { type InitPayload, type SocketExtra, SocketGate } from "./socket-gate.ts";

/** What hooks hand on to the execution. */
interface SocketArgs extends ExecutionArgs {
  readonly operation: Operation;
  readonly extra: SocketExtra;
  /** What its messages are called by. */
  readonly id: string;
  readonly payload: object;
}

/** The protocol graphql-transport-ws: who asks is looked up again for every operation, as for every request. */
export function socketServer(services: Services): Server<SocketExtra> {
  const gate = new SocketGate(services);
  /** What gives back a subscription's place, by its message. */
  const streams = new WeakMap<object, () => void>();
  return makeServer<InitPayload, SocketExtra>({
    connectionInitWaitTimeout: limits.socketInitSeconds * 1000,
    onConnect: (context) => gate.connect(context),
    onSubscribe: ({ extra }, id, payload) => prepare(gate, services, extra, { id, payload }),
    execute: (args) => run(services, args as SocketArgs),
    subscribe: (args) => follow(services, streams, args as SocketArgs),
    onNext: ({ extra }, _id, _payload, _args, result) => {
      if (!result.errors) return undefined;
      const { data = null, errors = [] } = format(extra, result as ExecutionResult);
      return { data, errors: errors.map((error) => error.toJSON()) };
    },
    onComplete: (_context, _id, payload) => streams.get(payload)?.(),
  });
}

/** What an operation is executed with, or why it is not. */
async function prepare(
  gate: SocketGate,
  services: Services,
  extra: SocketExtra,
  { id, payload }: { readonly id: string; readonly payload: OperationRequest & object },
): Promise<SocketArgs | readonly GraphQLError[]> {
  try {
    const { viewer, operation } = await gate.operationOf(extra, payload);
    if ("length" in operation) return formattedErrors(extra, operation);
    const contextValue = { services, viewer, requestId: extra.request.id };
    const { document, operationName, variables: variableValues } = operation;
    return { schema, document, operationName, variableValues, contextValue, operation, extra, id, payload };
  } catch (error) {
    const problem = problemFrom(error);
    if (problem.status === 401) extra.open.close(CloseCode.Unauthorized, `${problem.code}: ${problem.detail}`);
    return formattedErrors(extra, [asGraphqlError(error)]);
  }
}

/** A query stops when its answer is no longer waited for; a mutation is done to its end. */
async function run({ slots, limits: set }: Services, { operation, extra, id, contextValue }: SocketArgs) {
  const context = contextValue as Omit<GraphqlContext, "work">;
  const owner = extra.access?.credential.hash ?? context.viewer.userId;
  const room = { slots, owner, seconds: set.requestSeconds };
  const { graphql } = extra.request.server;
  if (operation.kind !== OperationTypeNode.QUERY) return runOperation(graphql, operation, context, room);
  const gone = extra.underWay.begin(id);
  try {
    return await runOperation(graphql, operation, context, { ...room, gone });
  } finally {
    extra.underWay.end(id, gone);
  }
}

async function follow(services: Services, streams: WeakMap<object, () => void>, args: SocketArgs) {
  const { operation: _operation, extra, payload, contextValue, ...rest } = args;
  let release: () => void;
  try {
    release = services.streams.take(extra.access?.credential.hash ?? "");
  } catch (error) {
    return { errors: [asGraphqlError(error)] };
  }
  const work = new Work(new AbortController().signal);
  const result = await subscribe({ ...rest, contextValue: { ...(contextValue as object), work } });
  if ("next" in result) streams.set(payload, release);
  else release();
  return result;
}

function format(extra: SocketExtra, result: ExecutionResult): ExecutionResult {
  const onInternal = (err: unknown) => extra.request.log.error({ err }, "graphql operation failed");
  return formatGraphqlErrors(result, onInternal).response;
}

function formattedErrors(extra: SocketExtra, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return format(extra, { errors }).errors ?? [];
}
