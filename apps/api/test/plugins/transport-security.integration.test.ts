import { describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";

const header = "strict-transport-security";

describe("a service that browsers reach by https", () => {
  const app = useApp({ HOPWISE_PUBLIC_URL: "https://hopwise.example" });

  it("has them keep to https for a year, whatever is asked for, and says nothing of other domains", async () => {
    for (const path of ["/healthz", "/", "/v1/jobs", "/nothing/here"]) {
      expect((await app().anonymous.get(path)).headers[header], path).toBe("max-age=31536000");
    }
  });
});

describe("a service that browsers reach by http", () => {
  const app = useApp();

  it("does not speak of https, which it has not", async () => {
    expect((await app().anonymous.get("/healthz")).headers[header]).toBeUndefined();
  });
});
