import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

export interface FirstLoad {
  readonly files: number;
  readonly bytes: number;
  readonly plainBytes: number;
}

/** What a browser without a cache fetches to draw the page of an address: the page, and all it names before it runs. */
export async function firstLoad(url: string, page: string, encoding: "br" | "gzip"): Promise<FirstLoad> {
  const wanted = ["/"];
  const fetched = new Map<string, { bytes: number; plainBytes: number }>();
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (fetched.has(path)) continue;
    const { body, text } = await transferred(`${url}${path}`, encoding);
    fetched.set(path, { bytes: body.byteLength, plainBytes: Buffer.byteLength(text) });
    if (path === "/") wanted.push(...namesIn(text, /(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g));
    if (path.endsWith(".css")) wanted.push(...namesIn(text, /url\("?(\/[^")]+\.woff2)"?\)/g));
    if (!path.endsWith(".js")) continue;
    // The entry names every page's files; a page's own are fetched when it is opened.
    wanted.push(...namesIn(text, /(?:from|import)\s*"\.\/([^"]+\.js)"/g).map((name) => `/assets/${name}`));
    const ofPage = new RegExp(`"(assets/${page}-[^"]+)"`, "g");
    wanted.push(...namesIn(text, ofPage).map((name) => `/${name}`));
  }
  const all = [...fetched.values()];
  const sum = (key: "bytes" | "plainBytes") => all.reduce((total, one) => total + one[key], 0);
  return { files: all.length, bytes: sum("bytes"), plainBytes: sum("plainBytes") };
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

/** The body as it came over the wire, and what it says. */
async function transferred(url: string, encoding: "br" | "gzip"): Promise<{ body: Buffer; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { "accept-encoding": encoding, accept: "text/html, */*" } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("error", reject);
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const body = Buffer.concat(chunks);
        if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}.`));
        resolve({ body, text: decoded(body, answer.headers["content-encoding"]).toString() });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "br") return brotliDecompressSync(body);
  return encoding === "gzip" ? gunzipSync(body) : body;
}
