import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { describe, ok, text, time } from "../../../server/answers";
import { requireEditor, signedIn } from "../../accounts/guard";
import { recordUserAction } from "../../accounts/security-log";
import type { TransferPart } from "../part";
import { applyModel, previewParams } from "./model";
import { addedHistory, reportCsv, reportFields } from "./report";
import { createPreviews } from "./service";

const { history_from, ...ofReport } = reportFields;
const ofDone = { ...ofReport, history: addedHistory };

/** The call of a preview. */
const previewed = describe({
  id: "previewImport",
  summary: "Preview the import of another product's file",
  description:
    "Send a form of the type multipart/form-data with the `file`, for example the `kuma.db` of Uptime Kuma, and as `wal` the write-ahead log that is beside a database in use. Or send JSON with a `source` that is read with a `key`, `healthchecks` or `betterstack`: the key is not stored. A public status page is read with the source `statuspage` and its `url`. The answer says what would become of each object. Nothing is created; the file is kept for 30 minutes.",
  access: "user",
  answer: {
    description: "What the import would do.",
    schema: ok({
      id: text("The preview's id.", "Jx0Kq2mWv8sT1aBc"),
      expires_at: time("Until when it is kept."),
      history_from,
      ...ofReport,
    }),
  },
  refusals: ["import_unreadable", "import_unknown", "import_refused", "validation", "too_large", "rate_limited"],
});

/** The import of files of other products. `onImport` is called when something was created. */
export const previewRoutes = (deps: Deps, parts: readonly TransferPart[], onImport: () => void) => {
  const previews = createPreviews(deps, parts, onImport);
  return new Elysia({ prefix: "/import", tags: ["Export and import"] })
    .use(signedIn(deps))
    .derive(requireEditor)
    .post(
      "/preview",
      async ({ user, scopes, request, server }) => {
        server?.timeout(request, 0);
        const { preview, draft, report } = await previews.preview({ owner: user, scopes }, request);
        return {
          success: true as const,
          id: preview.id,
          expires_at: isoTime(preview.expiresAt),
          history_from: isoTimeOrNull(draft.history?.from ?? null),
          ...report,
        };
      },
      {
        // The body is a file of any size, which is stored as it arrives.
        parse: () => null,
        detail: previewed,
      },
    )
    .post(
      "/preview/:id/apply",
      async ({ user, scopes, params, body, request, server }) => {
        const { skip = [], paused = false, history = true } = body;
        const options = { skip: new Set(skip), paused, history };
        // A long history is read for minutes.
        server?.timeout(request, 0);
        const report = await previews.apply({ owner: user, scopes }, params.id, options);
        if (report.items.some(({ enrollment }) => enrollment))
          await recordUserAction(deps, { user, request, server }, "enrollment_token_created");
        return { success: true as const, ...report };
      },
      {
        params: previewParams,
        body: applyModel,
        detail: describe({
          id: "applyImport",
          summary: "Import a file that was previewed",
          description:
            "Creates the objects of the file, each by itself: one that can't be created does not prevent the others. What was imported before stays as it is. A new monitor sends no alerts for two of its intervals, at least five minutes.",
          access: "user",
          answer: {
            description: "What became of each object.",
            schema: ok(ofDone),
          },
          refusals: ["not_found", "conflict", "rate_limited"],
        }),
      },
    )
    .get(
      "/preview/:id/report",
      async ({ user, scopes, params }) => ({
        success: true as const,
        ...(await previews.report({ owner: user, scopes }, params.id)),
      }),
      {
        params: previewParams,
        detail: describe({
          id: "readImportReport",
          summary: "Read the report of an import",
          description: "It is kept for 30 minutes after the import.",
          access: "user",
          answer: { description: "What became of each object.", schema: ok(ofDone) },
          refusals: ["read_only_key", "not_found", "conflict"],
        }),
      },
    )
    .get(
      "/preview/:id/report.csv",
      async ({ user, scopes, params }) =>
        new Response(reportCsv(await previews.report({ owner: user, scopes }, params.id)), {
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": 'attachment; filename="wakeful-import.csv"',
          },
        }),
      {
        params: previewParams,
        detail: describe({
          id: "exportImportReport",
          summary: "Download the report of an import",
          description: "The same as a table.",
          access: "user",
          answer: { description: "The file.", type: "text/csv", example: "part,name,kind,outcome,id,notes" },
          refusals: ["read_only_key", "not_found", "invalid_id", "conflict"],
        }),
      },
    );
};
