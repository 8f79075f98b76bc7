import { type Arena, numSpares, type Route } from "./arena.ts";
import type { Dice } from "./dice.ts";
import type { Message } from "./exchange.ts";
import { deepText } from "./hostile.ts";
import { judgeAnswer } from "./judge.ts";
import { multipartBody } from "./multipart.ts";
import { mutateJson } from "./mutate-json.ts";
import { sampleSchema } from "./sample-schema.ts";
import type { Outcome, Target } from "./target.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] as const;
const contentTypes = [
  "application/json",
  "application/json; charset=utf-16",
  "application/yaml",
  "text/yaml",
  "text/plain",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "application/graphql",
  "application/json, application/yaml",
  ";",
] as const;

/** Every route that the application declares, asked for nonsense. */
export class RestTarget implements Target<Message> {
  readonly name = "rest";
  readonly #arena: Arena;

  /** The others are files of the dashboard and of the pages that show the API. */
  readonly #ours: readonly Route[];

  constructor(arena: Arena) {
    this.#arena = arena;
    this.#ours = arena.routes.filter(({ url }) => /^\/(v1|graphql|metrics|healthz|readyz|openapi)(\/|$)/.test(url));
  }

  generate(dice: Dice): Message {
    const route = dice.pick(dice.chance(0.95) ? this.#ours : this.#arena.routes);
    const method = dice.chance(0.08) ? dice.pick(methods) : route.method;
    const path = pathOf(route, method, dice);
    const headers: Record<string, string> = { authorization: authorizationOf(dice), ...strayHeaders(dice) };
    if (dice.chance(0.05)) return { method, path, headers, raw: rawRequest(method, path, headers, dice) };
    if (method === "GET" || method === "HEAD") return { method, path, headers };
    return { method, path, headers: { ...headers, ...contentTypeOf(route, dice) }, body: bodyOf(route, dice) };
  }

  async run(message: Message): Promise<Outcome> {
    const answer = await this.#arena.send(message);
    return judgeAnswer(answer, message.method === "HEAD");
  }
}

function pathOf({ url, querystring }: Route, method: string, dice: Dice): string {
  const path = url.replaceAll(/:(\w+)|\*/g, () => idFor(url, method, dice));
  const query = queryOf(querystring, dice);
  return path.startsWith("/") ? path + query : `/${path}${query}`;
}

/** What is read stays there: what a method may change or delete is named from the spares. */
function idFor(url: string, method: string, dice: Dice): string {
  if (dice.chance(0.25)) return dice.chance(0.5) ? encoded(dice.hostileText()) : dice.hostileText();
  const spare = dice.integer(numSpares);
  if (method === "DELETE") return dice.pick([`{{doomedDataset${spare}}}`, `{{doomedKey${spare}}}`]);
  if (method !== "GET" && method !== "HEAD") return dice.pick([`{{spareDataset${spare}}}`, `{{spareVersion${spare}}}`]);
  if (url.includes("artifacts"))
    return dice.pick(["{{artifact_model}}", "{{artifact_exports}}", "{{artifact_inferred}}"]);
  if (url.includes("preview") || url.includes("spec")) return "{{version}}";
  return url.includes("datasets") ? "{{dataset}}" : "{{job}}";
}

/** As a part of an address, where half of a surrogate pair cannot stand. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function queryOf(schema: Route["querystring"], dice: Dice): string {
  const sampled = schema ? (sampleSchema(dice, schema) as Record<string, unknown>) : {};
  const given = Object.entries(sampled).map(([name, value]) =>
    dice.chance(0.3) ? [name, dice.hostileText()] : [name, String(value)],
  );
  if (dice.chance(0.1)) given.push([dice.hostileText(), dice.hostileText()]);
  if (dice.chance(0.1) && given[0]) given.push(given[0]);
  if (given.length === 0) return dice.chance(0.05) ? `?${dice.hostileText()}` : "";
  return `?${given.map(([name = "", value = ""]) => `${encoded(name)}=${encoded(value)}`).join("&")}`;
}

function authorizationOf(dice: Dice): string {
  if (dice.chance(0.93)) return "{{authorization}}";
  return dice.pick(["", "Bearer", "Bearer hw_", `Bearer ${dice.hostileText()}`, `Basic ${dice.hostileText()}`]);
}

function strayHeaders(dice: Dice): Record<string, string> {
  const strays: [string, () => string][] = [
    [
      "range",
      () =>
        dice.pick([
          "bytes=0-0",
          "bytes=-1",
          "bytes=5-1",
          "bytes=99999999999-",
          "bytes=0-1,3-4",
          "lines=1-2",
          "bytes=a-b",
        ]),
    ],
    ["if-none-match", () => dice.pick(["*", '"x"', 'W/"', dice.hostileText()])],
    ["if-range", () => dice.hostileText()],
    ["last-event-id", () => dice.hostileText()],
    ["idempotency-key", () => dice.hostileText()],
    ["accept", () => dice.pick(["*/*", "text/html", "text/event-stream", "application/xml", dice.hostileText()])],
    ["accept-encoding", () => dice.pick(["gzip", "br;q=9", dice.hostileText()])],
    ["cookie", () => `hopwise_session=${dice.hostileText()}; ${dice.hostileText()}`],
    ["x-forwarded-for", () => dice.pick(["1.2.3.4", "::1, ::1", dice.hostileText()])],
    ["origin", () => dice.pick(["null", "https://evil.example", dice.hostileText()])],
    ["expect", () => dice.pick(["100-continue", "nonsense"])],
    ["upgrade", () => dice.pick(["websocket", "h2c"])],
    ["x-long", () => "a".repeat(dice.pick([1000, 9000, 20_000]))],
  ];
  if (dice.chance(0.6)) return {};
  return Object.fromEntries(
    dice.times(1 + dice.integer(2), () => dice.pick(strays)).map(([name, value]) => [name, value()]),
  );
}

function contentTypeOf({ url }: Route, dice: Dice): Record<string, string> {
  if (dice.chance(0.05)) return {};
  if (dice.chance(0.2)) return { "content-type": dice.pick(contentTypes) };
  if (url.endsWith("/files")) return { "content-type": "multipart/form-data; boundary=edge" };
  return { "content-type": url.startsWith("/v1/store") ? "application/octet-stream" : "application/json" };
}

function bodyOf({ url, body }: Route, dice: Dice): string {
  if (dice.chance(0.06)) return dice.sample(deepText);
  if (dice.chance(0.04)) return dice.hostileText();
  if (url.endsWith("/files")) return multipartBody(dice);
  const fitting = sampleSchema(dice, body ?? {});
  const text = JSON.stringify(dice.chance(0.7) ? mutateJson(dice, fitting) : fitting) ?? "";
  return dice.chance(0.1) ? text.slice(0, dice.integer(text.length + 1)) : text;
}

/** A request with its own idea of HTTP. */
function rawRequest(method: string, path: string, headers: Record<string, string>, dice: Dice): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const strange = [
    `${method} ${path} HTTP/1.1`,
    `${method} ${path} HTTP/9.9`,
    `${method} ${path}`,
    `${dice.hostileText()} ${path} HTTP/1.1`,
    `GET http://elsewhere.example${path} HTTP/1.1`,
    `GET ${"/x".repeat(40_000)} HTTP/1.1`,
    "PRI * HTTP/2.0",
  ];
  const further = [
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 3",
    `x: ${"y".repeat(70_000)}`,
    "no colon here",
    `${dice.hostileText()}: 1`,
  ];
  const head = [dice.pick(strange), "Host: x", "Connection: close", ...lines, dice.pick(further)].join("\r\n");
  return `${head}\r\n\r\n${dice.pick(["", "hello", "5\r\nhello\r\n0\r\n\r\n", "zz\r\n", "FFFFFFFFFFFFFFFF\r\nx"])}`;
}
