import { HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { CliEnv } from "../env.ts";
import { readProfiles } from "./profiles.ts";

/** @throws CliError when neither the environment nor the profile says where the service is, or has a key for it */
export async function openClient(env: CliEnv, profileName: string, given: string | undefined): Promise<HopwiseClient> {
  const profile = (await readProfiles(env.configFile))[profileName];
  const url = given ?? profile?.url;
  if (url === undefined) {
    throw new CliError("notAllowed", `There is no profile "${profileName}"; begin with: hopwise login <address>`);
  }
  // A key is for the service that it was stored with: another address does not get to see it.
  const key = env.key ?? (profile && sameService(profile.url, url) ? profile.key : undefined);
  if (key === undefined) {
    throw new CliError("notAllowed", `There is no key for ${url}; log in there, or set HOPWISE_API_KEY.`);
  }
  return new HopwiseClient({ url, key });
}

function sameService(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}
