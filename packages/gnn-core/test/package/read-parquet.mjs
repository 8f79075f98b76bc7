// Reading a table without the optional peer says what to install.
import { loadRegistry } from "@hopwise/gnn-core";

const parquet = (await loadRegistry()).get("reader", "parquet");
const { name, code, message } = await parquet.open("package.json", {}, "edges.parquet").catch((error) => error);
console.log(JSON.stringify({ name, code, message }));
