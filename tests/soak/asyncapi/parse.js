// Says what AsyncAPI's own parser finds: a line for each finding, and the count of operations and messages.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
const findings = diagnostics.map(({ severity, code, path }) => ({ severity, code, path: path.join("/") }));
const counts = document && { operations: document.operations().length, messages: document.allMessages().length };
console.log(JSON.stringify({ findings, counts }));
