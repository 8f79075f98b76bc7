import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { apiReport, apiReportPath } from "./api-report.ts";

mkdirSync(dirname(apiReportPath), { recursive: true });
writeFileSync(apiReportPath, apiReport());
