import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, integer, list, nullable, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { readTagFilter } from "../../tags/model";
import { acknowledgeRoutes } from "./acknowledge/routes";
import { exportOutages, MAX_EXPORTED } from "./list/export";
import { ListedOutage, readOutages } from "./list/page";
import { OutageSummary, readSummary } from "./list/summary";
import { exportQuery, listQuery, noteModel, summaryQuery } from "./model";
import { noteField, writeNote } from "./note";
import { OutageDetail, readOutage } from "./service";
import { readTimeline, TimelineEntry } from "./timeline";

const success = true as const;

export const outageRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/outages", tags: ["Outages"] })
    .use(acknowledgeRoutes(deps))
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query: { tag: _, ...query }, request }) => ({
        success,
        ...(await readOutages(deps, user, { ...query, tags: readTagFilter(request) })),
      }),
      {
        query: listQuery,
        detail: describe({
          id: "listOutages",
          summary: "List outages",
          description:
            "Intervals during which a monitor is down, or a server is offline or above a threshold: your own, newest first; administrators see every user's. Pausing a monitor ends its outage. Outages are kept as long as hourly sums of checks, open ones always.",
          access: "user",
          answer: {
            description: "A page of outages.",
            schema: ok({
              outages: list(ListedOutage),
              next: nullable(integer("`before` of the next page; null on the last one.", 12)),
            }),
          },
        }),
      },
    )
    .get(
      "/summary",
      async ({ user, query: { tag: _, ...query }, request }) => ({
        success,
        summary: await readSummary(deps, user, { ...query, tags: readTagFilter(request) }),
      }),
      {
        query: summaryQuery,
        detail: describe({
          id: "summarizeOutages",
          summary: "Summarize outages",
          description:
            "Totals of the outages of the list with this filter, and how long they lasted on each day of the range: the last 30 days unless given, at most 400.",
          access: "user",
          answer: { description: "The totals.", schema: ok({ summary: OutageSummary }) },
        }),
      },
    )
    .get(
      "/export",
      async ({ user, query: { tag: _, ...query }, request }) => {
        const filter = { ...query, tags: readTagFilter(request) };
        const { type, name, text } = await deps.costlyCalls.run(user.id, () => exportOutages(deps, user, filter));
        const headers = { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
        return new Response(text, { headers });
      },
      {
        query: exportQuery,
        detail: describe({
          id: "exportOutages",
          summary: "Export outages",
          description: `The outages of the list with this filter as a file, at most the newest ${MAX_EXPORTED}.`,
          access: "user",
          answer: { description: "The file.", type: ["text/csv", "application/json"], example: "id,target_type,…" },
          refusals: ["rate_limited"],
        }),
      },
    )
    .get(
      "/:id",
      async ({ user, params }) => {
        const { outage, row } = await readOutage(deps, user, params.id);
        return { success, outage, timeline: await readTimeline(deps, user, row) };
      },
      {
        params: idParam("The outage's id."),
        detail: describe({
          id: "getOutage",
          summary: "Get an outage",
          description:
            "With what happened during it, in order of time: how it began, failed checks in a row, what explains it, the messages about it and its end. Messages are those of your own targets.",
          access: "user",
          answer: {
            description: "The outage and its timeline.",
            schema: ok({ outage: OutageDetail, timeline: list(TimelineEntry) }),
          },
        }),
      },
    )
    .put(
      "/:id/note",
      async ({ user, params, body }) => ({ success, note: await writeNote(deps, user, params.id, body.text) }),
      {
        params: idParam("The outage's id."),
        body: noteModel,
        detail: describe({
          id: "writeOutageNote",
          summary: "Write the note of an outage",
          description: "Replaces the note; an empty text deletes it.",
          access: "user",
          answer: { description: "The note.", schema: ok({ note: noteField }) },
        }),
      },
    );
