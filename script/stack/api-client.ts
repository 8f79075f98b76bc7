import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The admin key that the API leaves for tools of the same machine. */
export async function localKey(secrets: string): Promise<string> {
  return (await readFile(join(secrets, "admin-api-key"), "utf8")).trim();
}

/** A refusal of the API, with what its problem says. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls of one Hopwise server with one key. */
export class ApiClient {
  readonly url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.#key = key;
  }

  /** @throws ApiError with the problem's detail */
  async fetch(path: string, init: RequestInit & { duplex?: "half" } = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${this.#key}`);
    const response = await fetch(this.url + path, { ...init, headers });
    if (response.ok) return response;
    const text = await response.text();
    throw new ApiError(response.status, `${init.method ?? "GET"} ${path}: ${response.status}: ${detailOf(text)}`);
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.fetch(path)).json()) as T;
  }

  async send<T>(method: "POST" | "PUT", path: string, body: unknown): Promise<T> {
    const headers = { "content-type": "application/json" };
    return (await (await this.fetch(path, { method, headers, body: JSON.stringify(body) })).json()) as T;
  }

  /** A one-time link for the browser; an earlier one may have been used. */
  async freshSignInLink(): Promise<string> {
    return (await this.send<{ url: string }>("POST", "/v1/sign-in-links", {})).url;
  }

  async graphql<T>(query: string, variables: Record<string, unknown>): Promise<T> {
    const { data, errors } = await this.send<{ data: T; errors?: { message: string }[] }>("POST", "/graphql", {
      query,
      variables,
    });
    if (errors?.length) throw new ApiError(200, errors.map((error) => error.message).join("; "));
    return data;
  }
}

function detailOf(text: string): string {
  try {
    const problem = JSON.parse(text) as { code?: string; detail?: string; pointer?: string };
    return [problem.code, problem.detail, problem.pointer].filter(Boolean).join(" ");
  } catch {
    return text.slice(0, 500);
  }
}
