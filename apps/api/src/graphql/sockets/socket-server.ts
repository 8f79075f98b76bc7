import { AppError, limits, problemFrom } from "@hopwise/contracts";
import type { FastifyRequest } from "fastify";
import { type ExecutionArgs, type ExecutionResult, type GraphQLError, subscribe } from "graphql";
import { CloseCode, type Context, makeServer, type Server } from "graphql-ws";
import { type Credential, credentialOf } from "../../auth/authenticate.ts";
import type { Viewer } from "../../auth/viewer.ts";
import { authRequired } from "../../plugins/auth.ts";
import { credentialOfRequest } from "../../plugins/held-access.ts";
import { Quota } from "../../requests/quota.ts";
import type { Services } from "../../services.ts";
import type { GraphqlContext } from "../base/builder.ts";
import { asGraphqlError, formatGraphqlErrors } from "../base/graphql-errors.ts";
import { Work } from "../base/work.ts";
import { type Operation, type OperationRequest, readOperation } from "../operations/read-operation.ts";
import { runOperation } from "../operations/run-operation.ts";
import { schema } from "../schema/schema.ts";
import type { OpenSocket } from "./open-socket.ts";

/** What we know of a socket. */
export interface SocketExtra {
  /** That asked for it. */
  readonly request: FastifyRequest;
  readonly open: OpenSocket;
  /** Called at its close. */
  readonly releases: (() => void)[];
  /** What it was let in with; null before its first message. */
  access: SocketAccess | null;
}

interface SocketAccess {
  readonly credential: Credential;
  readonly viewer: Viewer;
}

type InitPayload = Record<string, unknown> | undefined;
type SocketContext = Context<InitPayload, SocketExtra>;

/** What hooks hand on to the execution. */
interface SocketArgs extends ExecutionArgs {
  readonly operation: Operation;
  readonly extra: SocketExtra;
  readonly payload: object;
}

/** The protocol graphql-transport-ws: who asks is looked up again for every operation, as for every request. */
export function socketServer(services: Services): Server<SocketExtra> {
  const { doorkeeper, access: watch, limits: set } = services;
  const perKey = new Quota("sockets open with this key (HOPWISE_SOCKETS_PER_KEY)", set.socketsPerKey);
  /** What gives back a subscription's place, by its message. */
  const streams = new WeakMap<object, () => void>();

  /** A key sent as `connectionParams: { authorization: "Bearer hw_…" }` takes the place of a header or cookie. */
  const letIn = async ({ extra, connectionParams }: SocketContext): Promise<void> => {
    const authorization = connectionParams?.authorization;
    const credential =
      typeof authorization === "string" ? credentialOf({ authorization }) : credentialOfRequest(extra.request);
    if (!credential) throw authRequired();
    const viewer = await doorkeeper.admit(credential, extra.request.ip);
    const end = () => extra.open.close(CloseCode.Unauthorized, "AUTH_INVALID: the key or session is good no more.");
    extra.releases.push(perKey.take(credential.hash), watch.hold(credential, viewer, end));
    extra.access = { credential, viewer };
  };

  const operationOf = async (extra: SocketExtra, asked: OperationRequest) => {
    if (!extra.access) throw authRequired();
    const { credential } = extra.access;
    if (extra.open.numUnderWay > limits.operationsPerSocket) {
      const detail = `${limits.operationsPerSocket} operations are under way on this socket; end one of them first.`;
      throw new AppError("REQUEST_RATE_LIMITED", detail);
    }
    // As every request: looked up anew, and counted with the requests of the same key.
    return { viewer: await doorkeeper.admit(credential, extra.request.ip), operation: readOperation(asked) };
  };

  const format = (extra: SocketExtra, result: ExecutionResult): ExecutionResult => {
    const onInternal = (err: unknown) => extra.request.log.error({ err }, "graphql operation failed");
    return formatGraphqlErrors(result, onInternal).response;
  };

  return makeServer<InitPayload, SocketExtra>({
    connectionInitWaitTimeout: limits.socketInitSeconds * 1000,
    onConnect: async (context) => {
      try {
        await letIn(context);
        return true;
      } catch (error) {
        const { code, detail, status } = problemFrom(error);
        const closeCode =
          status === 401 ? CloseCode.Unauthorized : status === 429 ? 1013 : CloseCode.InternalServerError;
        context.extra.open.close(closeCode, `${code}: ${detail}`);
        return false;
      }
    },
    onSubscribe: async ({ extra }, _id, payload) => {
      try {
        const { viewer, operation } = await operationOf(extra, payload);
        if ("length" in operation) return formattedErrors(format(extra, { errors: operation }));
        const contextValue = { services, viewer, requestId: extra.request.id };
        const { document, operationName, variables: variableValues } = operation;
        return {
          schema,
          document,
          operationName,
          variableValues,
          contextValue,
          operation,
          extra,
          payload,
        } as SocketArgs;
      } catch (error) {
        const problem = problemFrom(error);
        if (problem.status === 401) extra.open.close(CloseCode.Unauthorized, `${problem.code}: ${problem.detail}`);
        return formattedErrors(format(extra, { errors: [asGraphqlError(error)] }));
      }
    },
    execute: async (args) => {
      const { operation, extra, contextValue } = args as SocketArgs;
      const context = contextValue as Omit<GraphqlContext, "work">;
      const { slots } = services;
      const owner = extra.access?.credential.hash ?? context.viewer.userId;
      return runOperation(extra.request.server.graphql, operation, context, {
        slots,
        owner,
        seconds: set.requestSeconds,
      });
    },
    subscribe: async (args) => {
      const { operation: _operation, extra, payload, contextValue, ...rest } = args as SocketArgs;
      let release: () => void;
      try {
        release = services.streams.take(extra.access?.credential.hash ?? "");
      } catch (error) {
        return { errors: [asGraphqlError(error)] };
      }
      const work = new Work(new AbortController().signal);
      const result = await subscribe({ ...rest, contextValue: { ...(contextValue as object), work } });
      if (!("next" in result)) {
        release();
        return result;
      }
      streams.set(payload, release);
      return result;
    },
    onNext: ({ extra }, _id, _payload, _args, result) => {
      if (!result.errors) return undefined;
      const { data = null, errors = [] } = format(extra, result as ExecutionResult);
      return { data, errors: errors.map((error) => error.toJSON()) };
    },
    onComplete: (_context, _id, payload) => streams.get(payload)?.(),
  });
}

function formattedErrors({ errors = [] }: ExecutionResult): readonly GraphQLError[] {
  return errors;
}
