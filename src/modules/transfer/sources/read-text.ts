import { IMPORT_LIMITS } from "../../../shared/transfer/imports";
import type { Upload } from "./source";
import { unreadable } from "./sqlite";

/** The start of a file as text; empty for a file with NUL, which no text has. */
export const startText = (start: Uint8Array): string =>
  start.includes(0)
    ? ""
    : Buffer.from(start)
        .toString("utf8")
        .replace(/^\uFEFF/, "");

/** A whole file as text. @throws {AppError} import_unreadable */
export const readText = async ({ file, size }: Upload, limit: number = IMPORT_LIMITS.text): Promise<string> => {
  if (size > limit) throw unreadable(`it is larger than ${Math.floor(limit / 1024 ** 2)} MiB`);
  return (await Bun.file(file).text()).replace(/^\uFEFF/, "");
};

/** Values of a document, with those that are repeated by references. */
const MAX_NODES = 100_000;

/** Refuses a document that is small but stands for a huge one. @throws {AppError} import_unreadable */
const assertBounded = (document: unknown): void => {
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    if (++nodes > MAX_NODES || depth > 64) throw unreadable("it has too many values or levels");
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(document, 0);
};

/** A JSON document. @throws {AppError} import_unreadable */
export const readJson = async (upload: Upload): Promise<unknown> => {
  const text = await readText(upload);
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("it is no complete JSON");
  }
};

/** Bytes of a configuration. */
const MAX_YAML = 4 * 1024 * 1024;

/** A YAML document. @throws {AppError} import_unreadable */
export const readYaml = async (upload: Upload): Promise<unknown> => {
  const text = await readText(upload, MAX_YAML);
  let document: unknown;
  try {
    document = Bun.YAML.parse(text);
  } catch {
    throw unreadable("it is no valid YAML");
  }
  assertBounded(document);
  return document;
};

/** The seconds of a duration such as `1m30s`; null for any other text. */
export const secondsOf = (value: unknown): number | null => {
  const text = String(value ?? "").trim();
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null;
  const units: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ""] ?? 0),
    0,
  );
};
