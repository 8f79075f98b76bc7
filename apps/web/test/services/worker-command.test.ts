import { expect, test } from "vitest";
import { workerCommand } from "../../src/services/worker-command.ts";

const access = { user: "hopwise-worker-gpu-2", password: "hww_secret" };

test("a worker's command names Redis and the API as the page is reached", () => {
  const command = workerCommand(access, { hostname: "gnn.example", origin: "https://gnn.example" });
  expect(command).toContain("REDIS_URL=redis://hopwise-worker-gpu-2:hww_secret@gnn.example:6379 ");
  expect(command).toContain("ARTIFACTS_URL=https://gnn.example ");
});

test.each([["127.0.0.1"], ["localhost"], ["[::1]"]])(
  "%s means another machine to another host: it is left to fill in",
  (hostname) => {
    const command = workerCommand(access, { hostname, origin: `http://${hostname}:4680` });
    expect(command).toContain("@HOPWISE_HOST:6379 ");
    expect(command).toContain("ARTIFACTS_URL=http://HOPWISE_HOST:4680 ");
  },
);
