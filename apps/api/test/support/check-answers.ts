import { Transform } from "node:stream";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openapiDocument, openapiPath } from "../../src/rest/openapi.ts";

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly contentSchema?: object } }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Record<string, { readonly responses: Readonly<Record<string, Described>> }>>>;
}

/** Every fault of the answers that were checked, as a sentence each. */
export type AnswerFaults = string[];

/**
 * A hook that holds each response of each route against the OpenAPI document that the service publishes: its status,
 * its content type, and its JSON or the data of its server-sent events. Schemas there forbid what they do not name.
 */
export function checkAnswers(faults: AnswerFaults, routes?: Parameters<typeof openapiDocument>[0]["routes"]) {
  const document = openapiDocument({ sessionCookie: "hopwise_session", ...(routes && { routes }) });
  const contract = new Contract(document as unknown as Document);
  return async (app: FastifyInstance) => {
    app.addHook("onSend", async (request, reply, payload) => {
      const type = String(reply.getHeader("content-type") ?? "").split(";")[0] ?? "";
      const response = { method: request.method, url: routeOf(request), status: reply.statusCode, type, payload };
      return contract.check(response, (fault) => {
        faults.push(`${request.method} ${request.url} answered ${reply.statusCode}: ${fault}`);
      });
    });
  };
}

function routeOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url;
}

interface Sent {
  readonly method: string;
  readonly url: string | undefined;
  readonly status: number;
  readonly type: string;
  readonly payload: unknown;
}

class Contract {
  readonly #paths: Document["paths"];
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#paths = document.paths;
    this.#ajv.addSchema(document, "contract");
  }

  /** @returns the payload to send, which for a stream is one that is watched */
  check(sent: Sent, report: (fault: string) => void): unknown {
    const { url, method, status, type, payload } = sent;
    if (url === undefined) return this.#checkJson("#/components/schemas/Problem", payload, report);
    const path = openapiPath(url);
    const operation = this.#paths[path];
    // Pages and their files; every other route is in the contract, which a test of its own holds.
    if (!operation) return payload;
    const verb = method === "HEAD" && !operation["head"] ? "get" : method.toLowerCase();
    const described = operation[verb]?.responses[String(status)];
    if (!described) return fail(payload, report, "no such status is described");
    if (method === "HEAD" || isEmpty(payload)) {
      if (described.content && method !== "HEAD") report("it has no body, and one is described");
      return payload;
    }
    const media = described.content?.[type];
    if (!media) return fail(payload, report, `no answer of the type "${type}" is described`);
    const place = ["paths", path, verb, "responses", String(status), "content", type, "schema"];
    const pointer = `#/${place.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
    if (type.endsWith("json")) return this.#checkJson(pointer, payload, report);
    if (type === "text/event-stream") return this.#watchEvents(`${pointer}/contentSchema`, payload, report);
    return payload;
  }

  #checkJson(pointer: string, payload: unknown, report: (fault: string) => void): unknown {
    if (typeof payload !== "string" && !Buffer.isBuffer(payload))
      return fail(payload, report, "it is a stream of JSON");
    this.#validate(pointer, JSON.parse(payload.toString()), report);
    return payload;
  }

  #validate(pointer: string, value: unknown, report: (fault: string) => void): void {
    // An address may be a part of a URI reference: ajv decodes it.
    const reference = `contract${encodeURI(pointer)}`;
    const known = this.#validators.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#validators.set(reference, known);
    if (!known(value)) report(this.#ajv.errorsText(known.errors?.slice(0, 5)));
  }

  #watchEvents(pointer: string, payload: unknown, report: (fault: string) => void): unknown {
    let text = "";
    const validate = (data: string) => this.#validate(pointer, JSON.parse(data), report);
    const watch = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const events = (text + chunk.toString()).split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
          const data = event.split("\n").find((line) => line.startsWith("data: "));
          if (data) validate(data.slice("data: ".length));
        }
        done(null, chunk);
      },
    });
    const source = payload as NodeJS.ReadableStream & { destroy(): void };
    watch.once("close", () => source.destroy());
    return source.pipe(watch);
  }
}

function isEmpty(payload: unknown): boolean {
  return payload === undefined || payload === null || payload === "";
}

function fail(payload: unknown, report: (fault: string) => void, fault: string): unknown {
  report(fault);
  return payload;
}
