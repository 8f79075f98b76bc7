import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import { writeProfile } from "../config/profiles.ts";
import type { AddCommand, CliStreams } from "../context.ts";

const defaultUrl = "http://127.0.0.1:4680";

interface Me {
  readonly me: { readonly role: string; readonly user: { readonly name: string } };
}

export const addLogin: AddCommand = (program, run) => {
  program
    .command("login")
    .argument("[address]", "of the service", defaultUrl)
    .description("stores the address of a service and a key for it, once both have been tried")
    .addHelpText("after", "\nThe key comes from HOPWISE_API_KEY, or is read from the terminal or standard input.")
    .action(
      run(async ({ streams, output, profile, url }, address: string) => {
        const service = url ?? address;
        if (!/^https?:$/.test(URL.canParse(service) ? new URL(service).protocol : "")) {
          throw new CliError("usage", `"${service}" is no address; expected one like ${defaultUrl}.`);
        }
        const key = (streams.env.key ?? (await readKey(streams))).trim();
        if (key === "") throw new CliError("usage", "No key was given; make one on the page API keys.");
        const client = new HopwiseClient({ url: service, key });
        const { me } = await client.graphql<Me>("query Me { me { role user { name } } }");
        await writeProfile(streams.env.configFile, profile, { url: client.url, key });
        const role = me.role.toLowerCase();
        output.result(
          { profile, url: client.url, user: me.user.name, role },
          `Logged in to ${client.url} as ${me.user.name} (${role}), profile ${profile}.`,
        );
      }),
    );
};

/** A line of standard input; from a terminal it is not shown as it is typed. */
async function readKey({ stdin, stderr, signal }: CliStreams): Promise<string> {
  const isTyped = stdin.isTTY === true;
  if (isTyped) stderr.write("Key: ");
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: isTyped, signal } as Parameters<
    typeof createInterface
  >[0]);
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
    if (isTyped) stderr.write("\n");
  }
}
