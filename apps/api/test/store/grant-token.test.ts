import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GrantClaims } from "../../src/store/grant-claims.ts";
import { grantKey, openGrant, signGrant } from "../../src/store/grant-token.ts";
import { nothing } from "./support/store-server.ts";

const key = grantKey("the service's secret");
const now = new Date();
const claims: GrantClaims = {
  ...nothing,
  reads: [{ prefix: "p/parts", only: ["part1/"] }],
  writes: [{ output: "p/o" }],
};
const token = signGrant(claims, key);
const invalid = expect.objectContaining({ problem: expect.objectContaining({ code: "GRANT_INVALID", status: 401 }) });

function errorOf(found: string, at = now, with_ = key): unknown {
  try {
    return openGrant(found, with_, at);
  } catch (error) {
    return error;
  }
}

describe("a grant's token", () => {
  it("says what was signed", () => {
    expect(openGrant(token, key, now)).toEqual(claims);
  });

  it("is refused with any character changed, left out or put in", () => {
    const characters = fc.constantFrom(..."ABCabcxyz019-_.=+/ ".split(""));
    const change = fc.constantFrom("replace", "remove", "insert");
    fc.assert(
      fc.property(fc.nat(token.length - 1), characters, change, (at, character, how) => {
        const rest = token.slice(how === "insert" ? at : at + 1);
        const changed = `${token.slice(0, at)}${how === "remove" ? "" : character}${rest}`;
        fc.pre(changed !== token);
        expect(errorOf(changed)).toEqual(invalid);
      }),
      { numRuns: 1000 },
    );
  });

  it("is refused with the claims of another, or of a signature's other spelling", () => {
    const other = signGrant({ ...claims, reads: [{ prefix: "p/parts", only: null }] }, key);
    const [version, said, signature = ""] = [token.split(".")[0], other.split(".")[1], token.split(".")[2]];
    expect(errorOf(`${version}.${said}.${signature}`)).toEqual(invalid);
    // The last of 43 characters holds two bits that decode to nothing.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet[alphabet.indexOf(signature.at(-1) ?? "") ^ 1];
    const spelt = `${signature.slice(0, -1)}${last}`;
    expect(Buffer.from(spelt, "base64url")).toEqual(Buffer.from(signature, "base64url"));
    expect(errorOf(`${version}.${token.split(".")[1]}.${spelt}`)).toEqual(invalid);
  });

  it("is refused by another service, and from its end on", () => {
    expect(errorOf(token, now, grantKey("another secret"))).toEqual(invalid);
    expect(errorOf(token, new Date(claims.expires * 1000 - 1))).toEqual(claims);
    expect(errorOf(token, new Date(claims.expires * 1000))).toEqual(invalid);
  });

  it("is refused, whatever it is, when nobody signed it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(errorOf(text)).toEqual(invalid);
      }),
    );
    for (const text of ["", "hwg1..", "x".repeat(100_000), randomBytes(40).toString("base64url")]) {
      expect(errorOf(text)).toEqual(invalid);
    }
  });

  it("fits a header with the labels and splits of a thousand parts", () => {
    const names = Array.from({ length: 1024 }, (_, i) => [`part${i}/labels.npy`, `part${i}/split.npy`]).flat();
    const large = { ...claims, reads: [{ prefix: "projects/p/jobs/job_x/a1/0-partition", only: names }] };
    expect(signGrant(large, key).length).toBeLessThan(12_000);
  });
});
