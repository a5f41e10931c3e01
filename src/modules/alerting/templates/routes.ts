import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, id, object, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { TEMPLATE_FILTER_NAMES, TEMPLATE_LIMITS, TEMPLATE_VARIABLE_NAMES } from "../../../shared/template/variables";
import { signedIn } from "../../accounts/guard";
import { readerOf } from "../messages/format";
import { Preview, previewModel, templateModel, textsModel } from "./model";
import { createTemplate, deleteTemplate, previewTemplate, updateTemplate } from "./service";

const success = true as const;

const LANGUAGE = `A template is text with placeholders such as \`{{name}}\` or \`{{since | time:HH:mm}}\`. Variables: ${TEMPLATE_VARIABLE_NAMES.join(", ")}. Filters: ${TEMPLATE_FILTER_NAMES.join(", ")}. What is wrong is named with its line and column.`;

/** The calls that preview, store and delete templates of messages. */
export const templateRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/templates" })
    .use(signedIn(deps))
    .post(
      "/preview",
      async ({ user, body }) => ({
        success,
        ...(await deps.costlyCalls.run(user.id, () => previewTemplate(deps, readerOf(deps, user), body))),
      }),
      {
        body: previewModel,
        detail: describe({
          id: "previewTemplate",
          summary: "Preview a message template",
          description: `${LANGUAGE} Nothing is stored or sent.`,
          access: "user",
          answer: { description: "The message of an example event.", schema: ok(Preview.properties) },
          refusals: ["rate_limited"],
        }),
      },
    )
    .post(
      "/",
      async ({ user, body, status }) => status(201, { success, data: { id: await createTemplate(deps, user, body) } }),
      {
        body: templateModel,
        detail: describe({
          id: "createTemplate",
          summary: "Create a message template",
          description: `${LANGUAGE} It replaces the built-in message of a kind of event, or of all, in one channel, or in all; the most specific one counts, and the channel before the event. You may have ${TEMPLATE_LIMITS.perUser}.`,
          access: "user",
          answer: {
            status: 201,
            description: "The template was created.",
            schema: ok({ data: object({ id: id("The template's id.", 4) }) }),
          },
          refusals: ["not_found", "template_exists", "too_many_templates"],
        }),
      },
    )
    .guard({ params: idParam("The template's id.") })
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await updateTemplate(deps, user, params.id, body);
        return { success };
      },
      {
        body: textsModel,
        detail: describe({
          id: "updateTemplate",
          summary: "Update a message template",
          description: "Replaces its title and body. The channel and event that it is for stay.",
          access: "user",
          answer: { description: "The template was updated.", schema: ok() },
          refusals: ["rule_changed"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteTemplate(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "deleteTemplate",
          summary: "Delete a message template",
          description: "Its messages have the built-in texts again.",
          access: "user",
          answer: { description: "The template was deleted.", schema: ok() },
        }),
      },
    );
