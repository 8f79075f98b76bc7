import { expect, it } from "vitest";
import { Quota } from "../../src/requests/quota.ts";
import { RateWindow } from "../../src/requests/rate-window.ts";

it("a quota is given back once, and belongs to each owner alone", () => {
  const quota = new Quota("sockets", 2);
  const [first] = [quota.take("a"), quota.take("a")];
  expect(() => quota.take("a")).toThrow("There are 2 sockets already");
  quota.take("b");
  first?.();
  first?.();
  quota.take("a");
  expect(() => quota.take("a")).toThrow("There are 2 sockets already");
});

it("a window counts each owner alone", () => {
  const window = new RateWindow("operations", 3);
  for (const owner of ["a", "a", "b", "a"]) window.count(owner);
  expect(() => window.count("a")).toThrow(/^More than 3 operations in a minute; try again in \d+ seconds/);
  window.count("b");
});
