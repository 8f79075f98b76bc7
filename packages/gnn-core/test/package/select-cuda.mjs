import { selectBackend } from "@hopwise/gnn-core/ranks";

try {
  console.log(JSON.stringify({ device: await selectBackend("cuda") }));
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
}
