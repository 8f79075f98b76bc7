import { HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import { writeProfile } from "../config/profiles.ts";
import type { AddCommand } from "../context.ts";
import { readSecret } from "./read-secret.ts";

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
        const key = (streams.env.key ?? (await readSecret(streams, "Key"))).trim();
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
