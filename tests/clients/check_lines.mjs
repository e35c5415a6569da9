// Reads levels, one in a line, and writes what the checker says of each.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { check } = await import(pathToFileURL(process.argv[2]).href);
for (const line of readFileSync(0, "utf8").trimEnd().split("\n"))
  console.log(JSON.stringify(await check(JSON.parse(line))));
