import { expect, it } from "vitest";
import { s3Address, s3Region } from "../../src/imports/s3/s3-address.ts";
import { s3Headers, s3SecretObjection } from "../../src/imports/s3/sign-s3.ts";

const hrefOf = (text: string) => s3Address(text)?.url.href;

it("addresses of S3 become those of https, by host at Amazon and by path elsewhere", () => {
  expect(hrefOf("s3://graphs/a/edges.csv?region=eu-central-1")).toBe(
    "https://graphs.s3.eu-central-1.amazonaws.com/a/edges.csv#s3-region=eu-central-1",
  );
  expect(hrefOf("s3://graphs.example/edges.csv")).toBe(
    "https://s3.us-east-1.amazonaws.com/graphs.example/edges.csv#s3-region=us-east-1",
  );
  const elsewhere = "endpoint=https://minio.example.com:9000";
  expect(hrefOf(`s3://graphs/a b.csv?${elsewhere}`)).toBe(
    "https://minio.example.com:9000/graphs/a%20b.csv#s3-region=us-east-1",
  );
  expect(hrefOf(`s3://graphs/e.csv?${elsewhere}&style=host`)).toContain("https://graphs.minio.example.com:9000/e.csv");
  expect(s3Address("s3://graphs/papers/")?.prefix).toBe("papers/");
  expect(s3Address("https://example.com/edges.csv")).toBeNull();
});

it("the region stands in the address, in Amazon's name of the host, or is the first one", () => {
  expect(s3Region(new URL("https://b.s3.eu-west-3.amazonaws.com/k#s3-region=xx-1"))).toBe("xx-1");
  expect(s3Region(new URL("https://b.s3.eu-west-3.amazonaws.com/k"))).toBe("eu-west-3");
  expect(s3Region(new URL("https://minio.example.com/b/k"))).toBe("us-east-1");
});

it("a secret is an access key and its secret, and a session's token is sent with them", () => {
  expect(s3SecretObjection("AKID:secret/+=")).toBeNull();
  expect(s3SecretObjection("AKID")).not.toBeNull();
  const headers = s3Headers(new URL("https://b.s3.eu-west-3.amazonaws.com/k"), "AKID:secret:token");
  expect(headers["x-amz-security-token"]).toBe("token");
  expect(headers["authorization"]).toContain("/eu-west-3/s3/aws4_request");
});
