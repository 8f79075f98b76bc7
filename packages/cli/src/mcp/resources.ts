import type { HopwiseClient } from "@hopwise/client";
import { RpcError, rpcCodes } from "./json-rpc.ts";

const listUri = "hopwise://llms.txt";
const page = /^hopwise:\/\/help\/([\w-]+)\.md$/;

/** The guides of the service, as its llms.txt lists them. */
export async function listResources(client: HopwiseClient): Promise<object> {
  const list = await textAt(client, "/llms.txt");
  const guides = [...list.matchAll(/^- \[(.+?)\]\(\/help\/([\w-]+)\.md\)/gm)].map(([, title = "", name = ""]) => ({
    uri: `hopwise://help/${name}.md`,
    name: title,
    mimeType: "text/markdown",
  }));
  return { resources: [{ uri: listUri, name: "All guides", mimeType: "text/markdown" }, ...guides] };
}

/** @throws RpcError when there is no such page */
export async function readResource(client: HopwiseClient, uri: string, signal: AbortSignal): Promise<object> {
  const [, name] = page.exec(uri) ?? [];
  if (uri !== listUri && name === undefined) throw new RpcError(rpcCodes.params, `There is no resource "${uri}".`);
  const text = await textAt(client, name === undefined ? "/llms.txt" : `/help/${name}.md`, signal);
  return { contents: [{ uri, mimeType: "text/markdown", text }] };
}

/** Guides are open to everybody: no key is sent. */
async function textAt(client: HopwiseClient, path: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(client.url + path, signal ? { signal } : {});
  if (response.ok) return response.text();
  throw new RpcError(
    rpcCodes.params,
    `The service has no ${path} (status ${response.status}); is its dashboard built?`,
  );
}
