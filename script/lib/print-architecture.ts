import { writeFileSync } from "node:fs";
import { architecturePath, architectureWithPictures } from "./architecture-picture.ts";

writeFileSync(architecturePath, architectureWithPictures());
