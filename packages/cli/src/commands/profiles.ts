import { CliError } from "../cli-error.ts";
import { readProfiles, removeProfile } from "../config/profiles.ts";
import type { AddCommand } from "../context.ts";

export const addProfiles: AddCommand = (program, run) => {
  const profiles = program
    .command("profiles")
    .description("lists the profiles that login has kept; with a further word removes one")
    .action(
      run(async ({ streams, output, profile }) => {
        const kept = Object.entries(await readProfiles(streams.env.configFile));
        // Keys stay where they are.
        const items = kept.map(([name, { url }]) => ({ name, url, isUsed: name === profile }));
        output.table(items, items, {
          "": ({ isUsed }) => (isUsed ? "*" : ""),
          NAME: ({ name }) => name,
          ADDRESS: ({ url }) => url,
        });
      }),
    );
  profiles
    .command("remove")
    .argument("<name>", "of a profile")
    .description("forgets a profile and its key; the key stays valid until it is revoked on the page API keys")
    .action(
      run(async ({ streams, output }, name: string) => {
        const wasThere = await removeProfile(streams.env.configFile, name);
        if (!wasThere) throw new CliError("notFound", `There is no profile "${name}"; hopwise profiles lists them.`);
        output.result({ removed: name }, `${name} is removed.`);
      }),
    );
};
