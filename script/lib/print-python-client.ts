import { writeFileSync } from "node:fs";
import { pythonClientFiles } from "./python-client.ts";

for (const { url, text } of pythonClientFiles()) writeFileSync(url, text);
