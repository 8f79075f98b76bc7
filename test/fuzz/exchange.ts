import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** A request as a stranger may send it; `raw`: these bytes on a connection of their own, whatever they are. */
export interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly raw?: string | undefined;
}

/** `closed`: the connection ended without an answer. `silent`: nothing came in time. */
export type Answer =
  | { readonly how: "answered"; readonly status: number; readonly type: string; readonly body: string }
  | { readonly how: "closed" | "silent" };

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
/** Enough to judge an answer by */
const mostBytes = 2 ** 22;

/** Sends the message and reads what comes back; of a stream of events no more than that it begins. */
export function exchange(url: string, message: Message, patienceMs: number): Promise<Answer> {
  return message.raw === undefined ? overHttp(url, message, patienceMs) : overSocket(url, message.raw, patienceMs);
}

function overHttp(url: string, { method, path, headers, body }: Message, patienceMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method, path: asPath(path), headers: asHeaders(headers), agent });
    const timer = setTimeout(() => finish({ how: "silent" }), patienceMs);
    const finish = (answer: Answer) => {
      clearTimeout(timer);
      sent.destroy();
      resolve(answer);
    };
    sent.on("error", () => finish({ how: "closed" }));
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      finish(answered(response, ""));
    });
    const receive = async (response: IncomingMessage) => {
      if (/event-stream/.test(response.headers["content-type"] ?? "")) return finish(answered(response, ""));
      const text = await readBody(response);
      clearTimeout(timer);
      resolve(text === null ? { how: "closed" } : answered(response, text));
    };
    sent.on("response", (response) => void receive(response));
    sent.end(body);
  });
}

function answered(response: IncomingMessage, body: string): Answer {
  return { how: "answered", status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", body };
}

/** Null when it broke off. */
async function readBody(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes <= mostBytes) chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return plain(Buffer.concat(chunks), response.headers["content-encoding"]).toString("utf8");
}

/** What a request's own Accept-Encoding may have had compressed. */
function plain(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body; // the answer to a HEAD
  if (encoding === "gzip") return gunzipSync(body);
  return encoding === "br" ? brotliDecompressSync(body) : body;
}

/** Node sends no path with blanks or characters above 255; half of a surrogate pair has no UTF-8. */
function asPath(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]/gu, (char) => encodeURIComponent(Buffer.from(char).toString()));
}

function asHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")]),
  );
}

function overSocket(url: string, raw: string, patienceMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    // Half of it stays open: what follows the end of a broken request is its answer.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const timer = setTimeout(() => {
      socket.destroy();
      resolve({ how: "silent" });
    }, patienceMs);
    socket.on("connect", () => socket.end(Buffer.from(raw, "latin1")));
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (/event-stream/.test(String(chunk))) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(parsed(Buffer.concat(chunks).toString("utf8")));
    });
    socket.on("end", () => socket.destroy());
  });
}

/** The first answer in what a connection gave. */
function parsed(text: string): Answer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status === undefined) return { how: "closed" };
  const header = (name: string) => new RegExp(`\\n${name}: *([^\\r\\n]*)`, "i").exec(head)?.[1];
  const body = rest.join("\r\n\r\n");
  const length = header("content-length");
  const bytes = Buffer.from(body);
  return {
    how: "answered",
    status: Number(status),
    type: header("content-type") ?? "",
    body: length === undefined ? body : bytes.subarray(0, Number(length)).toString("utf8"),
  };
}
