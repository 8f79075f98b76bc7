import aws4 from "aws4";
import { s3Region } from "./s3-address.ts";

const secretPattern = /^([\x21-\x39\x3b-\x7e]{1,200}):([\x21-\x39\x3b-\x7e]{1,400})(?::([\x21-\x7e]{1,4000}))?$/;

/** What is wrong with a secret, without repeating it; null: nothing. */
export function s3SecretObjection(secret: string): string | null {
  return secretPattern.test(secret)
    ? null
    : "an s3 credential is <access key id>:<secret access key>, with :<session token> where there is one";
}

/** Headers of a request by GET that is signed with AWS Signature Version 4. */
export function s3Headers(target: URL, secret: string): Record<string, string> {
  const [, accessKeyId = "", secretAccessKey = "", sessionToken] = secretPattern.exec(secret) ?? [];
  const { headers } = aws4.sign(
    {
      service: "s3",
      region: s3Region(target),
      host: target.host,
      path: target.pathname + target.search,
      method: "GET",
      headers: {},
    },
    { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
  );
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
