import { refused } from "../source-address.ts";

/** What an `s3://` address means. */
export interface S3Address {
  /** The object's address, or the bucket's where a prefix is meant. */
  readonly url: URL;
  /** What the names of all wanted objects begin with; null: one object is meant. */
  readonly prefix: string | null;
}

const bucketPattern = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;
const regionPattern = /^[a-z0-9-]{1,40}$/;
const regionKey = "s3-region";
const known = new Set(["region", "endpoint", "style"]);

/**
 * The https address of `s3://bucket/key?region=…&endpoint=…&style=…`. The region, which a signature needs, stands in
 * the fragment: that is neither sent nor shown.
 *
 * @returns null for an address of another kind
 * @throws AppError IMPORT_ADDRESS
 */
export function s3Address(text: string): S3Address | null {
  const [, bucket = "", rest = ""] = /^s3:\/\/([^/?#]*)\/?([^#]*)$/i.exec(text) ?? [];
  if (!/^s3:/i.test(text)) return null;
  if (!bucketPattern.test(bucket))
    throw refused("Found no bucket, expected an address like s3://bucket/folder/edges.csv.");
  const [key = "", query = ""] = splitOnce(rest, "?");
  const asked = new URLSearchParams(query);
  const other = [...asked.keys()].find((name) => !known.has(name));
  if (other !== undefined)
    throw refused(`The address asks for ${other.slice(0, 40)}; expected region, endpoint and style alone.`);
  const region = asked.get("region") ?? "us-east-1";
  if (!regionPattern.test(region)) throw refused(`The region is no name like eu-central-1.`);
  const isPrefix = key === "" || key.endsWith("/");
  const url = bucketUrl(bucket, region, asked);
  if (!isPrefix) url.pathname += decoded(key).split("/").map(encodeURIComponent).join("/");
  url.hash = `${regionKey}=${region}`;
  return { url, prefix: isPrefix ? decoded(key) : null };
}

/** The region that a request to an address is signed for. */
export function s3Region({ hash, hostname }: URL): string {
  const said = new URLSearchParams(hash.slice(1)).get(regionKey);
  const [, inHost] = /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com$/.exec(hostname) ?? [];
  return said ?? inHost ?? "us-east-1";
}

/** The address of one object of a bucket. */
export function objectUrl(bucket: URL, key: string): URL {
  const url = new URL(bucket);
  url.search = "";
  url.pathname += key.split("/").map(encodeURIComponent).join("/");
  return url;
}

/** Buckets with dots have no certificate of their own, and other vendors' endpoints no names for buckets. */
function bucketUrl(bucket: string, region: string, asked: URLSearchParams): URL {
  const endpoint = asked.get("endpoint");
  const style = asked.get("style") ?? (endpoint !== null || bucket.includes(".") ? "path" : "host");
  if (style !== "path" && style !== "host") throw refused("The style is neither path nor host.");
  const base = endpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!URL.canParse(base)) throw refused("The endpoint is no URL, expected one like https://minio.example.com:9000.");
  const url = new URL(base);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw refused("The endpoint has a path; expected scheme, host and port alone.");
  if (style === "path") url.pathname = `/${bucket}/`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
