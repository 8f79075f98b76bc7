import type { ResumableUploadAnswer } from "@hopwise/contracts";
import { addressOf, methodAndPath } from "./address.ts";
import type { Patience } from "./body-chunks.ts";
import type {
  AddressOf,
  AnswerOf,
  Argument,
  EventOf,
  EventOperation,
  InputOf,
  JsonOperation,
  Operation,
  RawOperation,
  UploadOperation,
} from "./contract.ts";
import { followEvents } from "./events/follow-events.ts";
import {
  errorOfGraphql,
  type GraphqlAnswer,
  graphqlAnswerOf,
  isRepeatable,
  type TypedDocument,
  textOf,
} from "./graphql.ts";
import { ProblemError, parseJson, problemOfAnswer, unreachableError } from "./problem-error.ts";
import {
  type AnyInput,
  fetchOnce,
  fetchWhole,
  isRepeatableCall,
  jsonOf,
  requireSuccess,
  type Sendable,
  sendable,
} from "./request.ts";
import { type RetryRules, sendWithRetries } from "./transport.ts";
import { sendFiles } from "./upload/send-files.ts";
import { type ResumableInput, sendResumably } from "./upload/send-resumably.ts";
import type { OnProgress, UploadFile } from "./upload/upload-file.ts";

export interface ClientOptions {
  /** Where the service is: `http://127.0.0.1:4680`. Left out: where the page came from. */
  readonly url?: string;
  /** An API key. Left out: the session's cookie of the page. */
  readonly key?: string;
}

/** Variables that are all optional may be left out. */
type GraphqlArguments<V> =
  Record<string, never> extends V ? [variables?: V, options?: SignalOption] : [variables: V, options?: SignalOption];

interface SignalOption {
  readonly signal?: AbortSignal | undefined;
}

/** Calls of one Hopwise service, typed by the routes of its contract. Errors are ProblemErrors. */
export class HopwiseClient {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url = "", key }: ClientOptions = {}) {
    this.url = url.replace(/\/$/, "");
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  }

  /** Calls a route that takes and gives JSON: `call("GET /v1/jobs/:id", { params: { id } })`. */
  async call<O extends JsonOperation>(operation: O, ...[input]: Argument<InputOf<O>>): Promise<AnswerOf<O>> {
    const call = this.#sendable(operation, input ?? {});
    const response = await sendWithRetries(() => fetchWhole(call), rulesOf(call));
    return (await jsonOf(await requireSuccess(response))) as AnswerOf<O>;
  }

  /** Opens an answer that is no JSON: its body is read as it comes. */
  async open<O extends RawOperation>(
    operation: O,
    input: InputOf<O> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response> {
    const call = this.#sendable(operation, input);
    return requireSuccess(await sendWithRetries(() => fetchOnce(call), rulesOf(call)));
  }

  /** The whole of an answer that is no JSON, asked for again when the connection breaks on the way. */
  async bytes<O extends RawOperation>(operation: O, input: InputOf<O>): Promise<ArrayBuffer> {
    const call = this.#sendable(operation, input);
    const response = await requireSuccess(await sendWithRetries(() => fetchWhole(call), rulesOf(call)));
    return response.arrayBuffer();
  }

  /**
   * Follows a stream of events through lost connections, none of them missed or repeated, until it ends.
   *
   * @throws ProblemError when the API refuses; a service that is away is waited for, until the signal says otherwise
   */
  async *events<O extends EventOperation>(
    operation: O,
    input: InputOf<O> & Patience,
  ): AsyncGenerator<EventOf<O>, void, void> {
    const open = async (lastEventId: string | null, signal: AbortSignal) => {
      const headers = { accept: "text/event-stream", ...(lastEventId !== null && { "last-event-id": lastEventId }) };
      const call = this.#sendable(operation, { ...input, headers, signal });
      // Tries again by itself, for as long as it takes.
      const response = await fetchOnce(call).catch((cause: unknown) => {
        throw unreachableError(cause);
      });
      return requireSuccess(response);
    };
    for await (const data of followEvents(open, input)) yield JSON.parse(data) as EventOf<O>;
  }

  /** Sends files in one request; the signal stops it. */
  async upload<O extends UploadOperation>(
    operation: O,
    input: InputOf<O> & { readonly files: readonly UploadFile[]; readonly onProgress?: OnProgress | undefined },
  ): Promise<AnswerOf<O>> {
    const { files, onProgress, signal } = input;
    const { url, headers } = this.#sendable(operation, input);
    const upload = { url, headers, files, onProgress, signal };
    const response = await sendWithRetries(() => sendFiles(upload), { isRepeatable: false, signal });
    return (await jsonOf(await requireSuccess(response))) as AnswerOf<O>;
  }

  /**
   * Sends one file by tus, and goes on where it was when the connection is lost, the service is restarted, or the same
   * file of the same dataset is sent again later. It is a file of the dataset when this resolves.
   *
   * @throws ProblemError when the service refuses it, or stays away for minutes; the signal's reason
   */
  uploadFile(input: ResumableInput): Promise<ResumableUploadAnswer> {
    return sendResumably((operation, given) => this.#sendable(operation, given), input);
  }

  /**
   * Sends a query or mutation.
   *
   * @throws ProblemError with the first problem when there is any
   */
  async graphql<R, V extends object = Record<string, unknown>>(
    document: string | TypedDocument<R, V>,
    ...[variables, options]: GraphqlArguments<V>
  ): Promise<R> {
    const { data, errors } = await this.graphqlAnswer<R>(textOf(document), variables, options);
    if (errors?.[0]) throw errorOfGraphql(errors[0]);
    if (data === undefined || data === null) throw new ProblemError(problemOfAnswer(200, null));
    return data;
  }

  /** Sends a query or mutation, and gives its errors beside what data there is. */
  async graphqlAnswer<R>(
    query: string,
    variables: object = {},
    { signal }: SignalOption = {},
  ): Promise<GraphqlAnswer<R>> {
    const call = this.#sendable("POST /graphql", { body: { query, variables }, signal });
    const rules = { isRepeatable: isRepeatable(query, variables), signal };
    const response = await sendWithRetries(() => fetchWhole(call), rules);
    return graphqlAnswerOf<R>(response.status, parseJson(await response.text()));
  }

  /** The address of a route, for a link. */
  urlOf<O extends Operation>(operation: O, ...[address]: Argument<AddressOf<O>>): string {
    return this.url + addressOf(methodAndPath(operation)[1], address ?? {});
  }

  #sendable(operation: string, input: AnyInput): Sendable {
    return sendable(this.url, operation, { ...input, headers: { ...this.#headers, ...input.headers } });
  }
}

function rulesOf(call: Sendable): RetryRules {
  return { isRepeatable: isRepeatableCall(call), signal: call.signal ?? undefined };
}
