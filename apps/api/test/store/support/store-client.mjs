import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { HttpArtifactStore } from "@hopwise/artifacts";

// Stores a blob and reads it again, as a worker of a host with its own trusted authorities does; prints what came of
// it.
const [url, grant] = process.argv.slice(2);
const store = new HttpArtifactStore({ url, patienceMs: 20_000 }, { grant });
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
try {
  const blob = randomBytes(2_000_000);
  const stored = await store.put("p/a", blob);
  const isSame = stored.sha256 === sha256(await buffer(await store.get("p/a")));
  console.log(JSON.stringify({ stored: stored.bytes, isSame }));
} catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }));
}
store.close();
