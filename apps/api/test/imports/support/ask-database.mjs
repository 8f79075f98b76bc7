// Asks a database one question as an import does, and prints what came of it as JSON. A program of its own, for
// authorities (NODE_EXTRA_CA_CERTS) are read when a process starts.

import { databaseAddress } from "../../../dist/imports/sql/database-address.js";
import { openSession } from "../../../dist/imports/sql/open-session.js";
import { AddressGuard } from "../../../dist/requests/address-guard.js";

const [, , url, secret, query] = process.argv;
const guard = new AddressGuard(["127.0.0.1", "::1"], "HOPWISE_IMPORT_NETWORKS");
const { host } = new URL(url);
try {
  const session = await openSession({
    address: databaseAddress(url, guard),
    credential: { kind: "database", hosts: [host], secret },
    guard,
    querySeconds: 10,
    signal: AbortSignal.timeout(30_000),
  });
  const rows = [];
  for await (const batch of session.batches(query)) rows.push(...batch.rows);
  await session.close();
  console.log(JSON.stringify({ rows }));
} catch (error) {
  console.log(JSON.stringify({ code: error.problem?.code ?? error.name, detail: error.message }));
}
