import { gunzipSync, gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import type { Dice } from "../dice.ts";
import { mutateBytes } from "./mutate-bytes.ts";

/** The file with some of its bytes changed; what is packed is changed inside more often than outside. */
export function damageFile(dice: Dice, name: string, bytes: Uint8Array): Uint8Array {
  if (/\.(xlsx|npz|zip)$/.test(name) && bytes.length > 0 && dice.chance(0.8)) return damageMember(dice, bytes);
  if (name.endsWith(".gz") && dice.chance(0.6)) return gzipSync(mutateBytes(dice, gunzipSync(bytes)));
  return mutateBytes(dice, bytes);
}

/** An archive that is whole, with one damaged file in it. */
export function damageMember(dice: Dice, archive: Uint8Array): Uint8Array {
  const members = unzipSync(archive);
  const files = Object.keys(members).filter((name) => !name.endsWith("/"));
  const name = dice.pick(files);
  return zipSync({ ...members, [name]: damageFile(dice, name, members[name]!) });
}
