import { gunzipSync, gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { sealed } from "../../support/duckdb-file.ts";
import type { Dice } from "../dice.ts";
import { mutateBytes } from "./mutate-bytes.ts";

/** The file with some of its bytes changed; what is packed is changed inside more often than outside. */
export function damageFile(dice: Dice, name: string, bytes: Uint8Array): Uint8Array {
  if (/\.(xlsx|npz|zip)$/.test(name) && bytes.length > 0 && dice.chance(0.8)) return damageMember(dice, bytes);
  if (name.endsWith(".gz") && dice.chance(0.6)) return gzipSync(mutateBytes(dice, gunzipSync(bytes)));
  if (Buffer.from(bytes.subarray(8, 12)).toString() === "DUCK" && dice.chance(0.7)) return damageSealed(dice, bytes);
  return mutateBytes(dice, bytes);
}

/** A DuckDB database some bytes of which are others, with the sums that it is checked by: only reading tells of it. */
function damageSealed(dice: Dice, bytes: Uint8Array): Uint8Array {
  const changed = Buffer.from(bytes);
  const used = [...changed.keys()].filter((at) => changed[at] !== 0);
  for (const at of dice.times(dice.pick([1, 1, 2, 4]), () => dice.pick(used))) changed[at] = dice.integer(256);
  return sealed(changed);
}

/** An archive that is whole, with one damaged file in it. */
export function damageMember(dice: Dice, archive: Uint8Array): Uint8Array {
  const members = unzipSync(archive);
  const files = Object.keys(members).filter((name) => !name.endsWith("/"));
  const name = dice.pick(files);
  return zipSync({ ...members, [name]: damageFile(dice, name, members[name]!) });
}
