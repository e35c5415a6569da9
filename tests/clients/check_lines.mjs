// Reads a file of levels, one in a line, and writes what the checker says of each.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [checker, levels] = process.argv.slice(2);
const { check } = await import(pathToFileURL(checker).href);
for (const line of readFileSync(levels, "utf8").trimEnd().split("\n"))
  console.log(JSON.stringify(await check(JSON.parse(line))));
