import { expect, it } from "bun:test";
import { EVENT_KINDS, isClosing } from "../../shared/notifications";
import { createTestApp } from "../../testing/app";
import { readDocument } from "../../testing/openapi";
import { type Components, resolve, type Schema } from "./json-schema";

const TYPES: Record<string, string> = { string: "text", integer: "number" };

const typeOf = (given: Schema, known: Components): string => {
  const schema = resolve(given, known);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((choice) => typeOf(choice, known)))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {}, known)}`;
  const types = [schema.type ?? []].flat();
  return types
    .map((type) => (schema.format === "date-time" && type === "string" ? "time" : (TYPES[type] ?? type)))
    .join(" or ");
};

/** A row for each field of an object, followed by those inside of it, as a table of Markdown has them. */
const rowsOf = (given: Schema, known: Components, path = ""): string[] => {
  const schema = resolve(given, known);
  const inner = schema.anyOf?.map((choice) => resolve(choice, known)).find(({ properties }) => properties) ?? schema;
  if (inner.items) return rowsOf(inner.items, known, `${path}[]`);
  return Object.entries(inner.properties ?? {}).flatMap(([name, value]) => {
    const place = path ? `${path}.${name}` : name;
    const text = value.description ?? resolve(value, known).description ?? "";
    return [`| \`${place}\` | ${typeOf(value, known)} | ${text} |`, ...rowsOf(value, known, place)];
  });
};

/** The lines of docs/webhooks.md, with one space between words. */
const pageLines = async () =>
  (await Bun.file(new URL("../../../docs/webhooks.md", import.meta.url)).text())
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim());

/** The names in code at the start of the first cells of the rows below a heading. */
const tableBelow = (lines: string[], heading: string) => {
  const from = lines.indexOf(heading) + 1;
  const section = lines.slice(
    from,
    lines.findIndex((line, index) => index >= from && line.startsWith("## ")),
  );
  return section.filter((line) => line.startsWith("| `"));
};

it("docs/webhooks.md has every field and header of a webhook, as the API document describes them", async () => {
  const { webhooks, components } = await readDocument(await createTestApp());
  const { post } = webhooks.webhook as {
    post: { parameters: { name: string; required: boolean; description: string }[] };
  };
  const lines = await pageLines();
  expect(tableBelow(lines, "## Body")).toEqual(
    rowsOf({ $ref: "#/components/schemas/WebhookPayload" }, components.schemas),
  );
  expect(tableBelow(lines, "## Headers")).toEqual(
    post.parameters.map(({ name, description }) => `| \`${name}\` | ${description} |`),
  );
});

it("docs/webhooks.md names every event, those that open an outage beside those that end it", async () => {
  const rows = tableBelow(await pageLines(), "## Events");
  const named = rows.map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, event]) => event));
  const opening = EVENT_KINDS.filter((event) => !isClosing(event));
  const closing = EVENT_KINDS.filter(isClosing);
  expect(named).toEqual([...opening.map((event, index) => [event, closing[index]]), ["report"], ["test"]]);
});

it("the webhook of the API document has its headers, an operationId and no credentials", async () => {
  const { webhooks } = await readDocument(await createTestApp());
  expect(webhooks.webhook).toMatchObject({
    post: {
      operationId: "receiveWebhook",
      security: [],
      parameters: [
        { name: "X-Wakeful-Event", in: "header", required: true },
        { name: "X-Wakeful-Delivery", in: "header", required: true },
        { name: "X-Wakeful-Signature", in: "header", required: false },
      ],
    },
  });
});
