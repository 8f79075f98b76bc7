// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { createClient, fetchExchange, Provider } from "urql";
import { afterEach, expect, test } from "vitest";
import { ApiKeysPage } from "../../src/pages/ApiKeysPage.tsx";

afterEach(cleanup);

const stored = { id: "cred_1", name: "archive", kind: "BEARER", hosts: ["example.com"], createdAt: "2026-11-26" };

/** The page as somebody of this role sees it; resolves with the queries that it asks. */
async function show(role: string, sourceCredentials: readonly object[] = [stored]) {
  const asked: string[] = [];
  const answer: typeof fetch = async (_url, init) => {
    const { query } = JSON.parse(init?.body as string) as { query: string };
    asked.push(query);
    const me = { role, user: { id: "u", name: "Ada" }, project: null };
    return Response.json({ data: { me, apiKeys: [], sourceCredentials } });
  };
  const client = createClient({
    url: "http://localhost/graphql",
    preferGetMethod: false,
    exchanges: [fetchExchange],
    fetch: answer,
  });
  render(
    <MantineProvider>
      <Provider value={client}>
        <ApiKeysPage />
      </Provider>
    </MantineProvider>,
  );
  await screen.findByText("No API keys yet");
  return asked;
}

test("an admin stores and revokes credentials of sources", async () => {
  await show("ADMIN");
  await screen.findByRole("button", { name: "Store credential" });
  await screen.findByRole("button", { name: "Revoke the credential archive" });
});

test("an editor sees which there are, or whom to ask, and no form that would be refused", async () => {
  await show("EDITOR");
  await screen.findByText("archive");
  for (const name of ["Store credential", "Revoke the credential archive"])
    expect(screen.queryByRole("button", { name })).toBeNull();
  cleanup();
  await show("EDITOR", []);
  await screen.findByText("There are none yet; an admin stores them.");
});

test("a viewer, whom the list is refused, does not ask for it", async () => {
  const asked = await show("VIEWER");
  expect(screen.queryByText("Credentials for imports")).toBeNull();
  expect(asked.some((query) => query.includes("sourceCredentials"))).toBe(false);
});
