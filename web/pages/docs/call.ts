import type { Schema } from "../../../src/modules/docs/json-schema";
import { h } from "../status/dom";
import { icon } from "../status/icon";
import { codeBlock } from "./code";
import { curlOf } from "./curl";
import { type Call, type Document, type Field, type Response, responsesOf } from "./document";
import { fieldsOf, parametersOf } from "./fields";
import type { Speech } from "./words";

type Place = { document: Document; origin: string; speech: Speech };

const schemasOf = ({ document }: Place): Record<string, Schema> => document.components.schemas;

/** A text of the document, whose `code` is told apart. */
export const prose = (text: string): (Node | string)[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));

const fieldTable = (fields: Field[], { words }: Speech, withRequired: boolean) =>
  h(
    "ul",
    { class: "fields" },
    ...fields.map(({ name, place, type, required, description, depth }) =>
      h(
        "li",
        { class: `field depth-${depth}` },
        h(
          "div",
          { class: "field-head" },
          h("code", { class: "field-name" }, name),
          h("span", { class: "field-type" }, type),
          place && h("span", { class: "field-place" }, words.places[place as "path" | "query"]),
          withRequired && required && h("span", { class: "field-required" }, words.required),
        ),
        description && h("p", {}, ...prose(description)),
      ),
    ),
  );

const section = (title: string, ...children: (Node | string | false | undefined)[]) =>
  h("section", { class: "part" }, h("h4", {}, title), ...children);

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A good answer, closed: its example and its fields are long. */
const goodAnswer = (status: string, { description, content = {} }: Response, place: Place) => {
  const { speech } = place;
  const types = Object.entries(content);
  const [type = "", { schema, example } = {}] = types[0] ?? [];
  const fields = schema ? fieldsOf(schema, schemasOf(place)) : [];
  const head = [h("span", { class: "status" }, status), h("span", {}, ...prose(description))];
  if (example === undefined) return h("div", { class: "answer good" }, h("div", { class: "answer-head" }, ...head));
  const isText = typeof example === "string";
  return h(
    "details",
    { class: "answer good" },
    h("summary", { class: "answer-head" }, ...head, icon("caret")),
    h(
      "div",
      { class: "answer-body" },
      type !== "application/json" && h("p", { class: "type" }, types.map(([name]) => name).join(", ")),
      codeBlock(isText ? example : json(example), speech.words.example, speech, !isText),
      fields.length > 0 &&
        h("details", { class: "more" }, h("summary", {}, speech.words.fields), fieldTable(fields, speech, false)),
    ),
  );
};

/** A refusal: its codes, with the sentence of each. */
const refusedAnswer = (status: string, { content = {} }: Response) => {
  const examples = Object.entries(content["application/json"]?.examples ?? {});
  return h(
    "div",
    { class: "answer refused answer-head" },
    h("span", { class: "status" }, status),
    h(
      "ul",
      {},
      ...examples.map(([code, { value }]) =>
        h("li", {}, h("code", {}, code), " ", (value as { message: string }).message),
      ),
    ),
  );
};

const answer = (status: string, response: Response, place: Place) =>
  response.content?.["application/json"]?.examples
    ? refusedAnswer(status, response)
    : goodAnswer(status, response, place);

const bodyOf = (call: Call, place: Place): Node[] => {
  const { speech, origin } = place;
  const { words } = speech;
  const access = call["x-access"];
  const parameters = parametersOf(call, schemasOf(place));
  const body = call.requestBody?.content["application/json"];
  return [
    ...(call.description ? [h("p", { class: "about" }, ...prose(call.description))] : []),
    h("p", { class: "access" }, icon(access === "anybody" ? "globe" : "lock"), words.access[access]),
    ...(parameters.length > 0 ? [section(words.parameters, fieldTable(parameters, speech, true))] : []),
    ...(body ? [section(words.body, fieldTable(fieldsOf(body.schema, schemasOf(place)), speech, true))] : []),
    section(words.request, codeBlock(curlOf(call, origin), "curl", speech)),
    section(words.answers, ...responsesOf(call).map(([status, response]) => answer(status, response, place))),
  ];
};

/** A call, closed: what is in it is drawn when it is opened first. */
export const callCard = (call: Call, place: Place): HTMLDetailsElement => {
  const { method, path, operationId, summary } = call;
  const inside = h("div", { class: "call-body" });
  const card = h(
    "details",
    { class: "call", id: operationId },
    h(
      "summary",
      {},
      h("span", { class: `method ${method.toLowerCase()}` }, method),
      h("code", { class: "path" }, path),
      h("h3", {}, place.speech.words.summaries[operationId] ?? summary),
      icon("caret"),
    ),
    inside,
  );
  card.addEventListener("toggle", () => {
    if (card.open && inside.childElementCount === 0) inside.append(...bodyOf(call, place));
  });
  return card;
};
