/** `bun run docs`: writes the parts of the documents that follow from the code. A test fails while they differ. */
import { readFileSync, writeFileSync } from "node:fs";
import { settingsTable } from "../src/core/settings/list";

const path = "docs/settings.md";
const [BEGIN, END] = [/<!-- `bun run docs` writes this table .*-->/, "<!-- The end of the table. -->"];

const text = readFileSync(path, "utf8");
const [before = "", rest = ""] = text.split(END);
const [announced] = BEGIN.exec(before) ?? [];
if (!announced) throw new Error(`${path} has no place for the list of settings`);
const [intro = ""] = before.split(announced);
writeFileSync(path, `${intro}${announced}\n\n${settingsTable()}\n\n${END}${rest}`);
