import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { KindDescription, KindField } from "../../../../../src/shared/monitor-kinds/field";
import { enUS } from "../../../../locales/en-US";
import { zhCN } from "../../../../locales/zh-CN";

const FOLDER = join(import.meta.dir, "../../../../../src/shared/monitor-kinds");
const isDescription = (value: unknown): value is KindDescription =>
  typeof value === "object" && value !== null && "kind" in value && "fields" in value;

/** The keys that a field names, for every choice and for a new and a stored monitor. */
const keysOf = (field: KindField, presets: readonly string[]): (string | undefined)[] => {
  const { label, hint, wrong, none, fact } = field;
  const configs = ["", ...presets].map((preset) => ({ preset, type: preset }));
  return [
    ...[wrong, none, fact ? fact.on : undefined],
    ...configs.map((config) => (typeof label === "function" ? label(config) : label)),
    ...configs.flatMap((config) =>
      [true, false].map((isNew) => (typeof hint === "function" ? hint(config, isNew) : hint)),
    ),
    ...(field.type === "choice" && field.words ? field.choices.map((choice) => `${field.words}.${choice}`) : []),
  ];
};

const textAt = (texts: object, key: string): unknown =>
  key.split(".").reduce<unknown>((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], texts);

test("every key that the fields of the monitor kinds name has a text in both languages", async () => {
  const files = readdirSync(FOLDER).filter((name) => !name.includes(".test."));
  const modules = await Promise.all(files.map((name) => import(join(FOLDER, name)) as Promise<object>));
  const kinds = modules.flatMap((module) => Object.values(module)).filter(isDescription);
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["http", "ping", "tcp"]));
  const keys = kinds.flatMap(({ kind, fields, presets = [], tiles = [], up, response }) => [
    ...[up, response, `kinds.${kind}.label`, `kinds.${kind}.question`, `kinds.${kind}.hint`],
    ...tiles.flatMap(({ name }) => [`kinds.${kind}.${name}.question`, `kinds.${kind}.${name}.hint`]),
    ...fields.flatMap((field) => keysOf(field, ["PTR", ...presets, ...tiles.flatMap((tile) => tile.presets)])),
  ]);
  const missing = keys.filter(
    (key) => key !== undefined && ![zhCN, enUS].every((texts) => typeof textAt(texts, key) === "string"),
  );
  expect(missing).toEqual([]);
});
