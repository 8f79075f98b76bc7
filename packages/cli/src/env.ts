import { homedir } from "node:os";
import { join } from "node:path";

/** What the environment says; the only place that reads it. */
export interface CliEnv {
  /** `HOPWISE_URL`: goes before what the profile says */
  readonly url: string | undefined;
  /** `HOPWISE_API_KEY`: goes before what the profile says */
  readonly key: string | undefined;
  /** `HOPWISE_PROFILE` */
  readonly profile: string;
  /** `HOPWISE_CONFIG`, else `hopwise/config.json` in the folder for settings */
  readonly configFile: string;
}

export function envOf(variables: Readonly<Record<string, string | undefined>>): CliEnv {
  const settings = variables["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return {
    url: variables["HOPWISE_URL"] || undefined,
    key: variables["HOPWISE_API_KEY"] || undefined,
    profile: variables["HOPWISE_PROFILE"] || "default",
    configFile: variables["HOPWISE_CONFIG"] || join(settings, "hopwise", "config.json"),
  };
}
