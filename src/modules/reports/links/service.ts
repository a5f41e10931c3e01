/**
 * Links that show a report to others without a session. The token in its address is shown once and stored as a hash. A
 * deleted link answers 404, like any unknown token.
 */
import type { Static } from "@sinclair/typebox";
import { and, desc, eq, isNull, lte, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { hashSecret, randomSecret } from "../../../core/secrets";
import { madeBy, ownedBy, ownerOf, type Viewer, viewerOf } from "../../../db/owner";
import { reportLinks } from "../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { boolean, component, id, nullable, number, oneOf, text, time } from "../../../server/answers";
import { isExpiryKind } from "../../../shared/certificate";
import { MINUTE } from "../../../shared/limits";
import { MAX_REPORT_LINKS, PERIODS, spanOfPeriod } from "../../../shared/reports/period";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { type LinkBody, MAX_LISTED, parsePeriod, parseScope } from "../model";
import { type Report, readReport } from "../report";
import { readSigned } from "../schedules/link";
import { type ReadPageTargets, readTargets } from "../targets";

const PREFIX = "wkr";

type Link = typeof reportLinks.$inferSelect;

export const ReportLink = component("ReportLink", {
  id: id("The link's id.", 4),
  name: text("Its name, which the page of the link has as its title; may be empty.", "Acme"),
  scope: text("As of a report.", "tag:production"),
  period: nullable(oneOf("The period that moves with the time; null for a fixed one.", PERIODS)),
  from: nullable(time("The beginning of a fixed period.", "2026-01-01T00:00:00.000Z"), null),
  to: nullable(time("The end of a fixed period.", "2026-02-01T00:00:00.000Z"), null),
  zone: text("The time zone of its days.", "Europe/Berlin"),
  target: nullable(number("The target for the uptime in percent.", 99.9)),
  details: boolean("Whether it shows why something was down, with addresses and notes.", false),
  created_at: time("When it was created."),
  opened_at: nullable(time("When it was last opened, to the minute; null before.")),
});

const present = (link: Link): Static<typeof ReportLink> => ({
  id: link.id,
  name: link.name,
  scope: link.scope,
  period: link.period,
  from: isoTimeOrNull(link.fromAt),
  to: isoTimeOrNull(link.toAt),
  zone: link.zone,
  target: link.target,
  details: link.details,
  created_at: isoTime(link.createdAt),
  opened_at: isoTimeOrNull(link.openedAt),
});

/** A user's links without their tokens, the newest first. */
export const listLinks = async ({ db }: Pick<Deps, "db">, teamId: number) =>
  (
    await db
      .select()
      .from(reportLinks)
      .where(ownedBy(reportLinks, teamId))
      .orderBy(desc(reportLinks.id))
      .limit(MAX_REPORT_LINKS)
  ).map(present);

/**
 * Creates a link for a report about a user's own monitors and servers. Its token is in the answer and not stored.
 * @throws {AppError} validation, not_found for a target that is not theirs, too_many_report_links
 */
export const createLink = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  owner: Viewer,
  { name = "", scope = "all", target, details = false, period, ...sent }: LinkBody,
  readPageTargets: ReadPageTargets,
): Promise<{ token: string; link: Static<typeof ReportLink> }> => {
  const now = deps.clock.now();
  const isFixed = sent.from !== undefined || sent.to !== undefined;
  if (isFixed === (period !== undefined))
    throw validation([{ path: "period", message: "period: expected a period, or the two ends of one" }]);
  const { span, zone } = parsePeriod({ ...sent, ...(period && { period }) }, now);
  await readTargets(deps, viewerOf(madeBy(owner)), parseScope(scope), readPageTargets);
  const token = randomSecret(PREFIX);
  const values = {
    ...{ ...madeBy(owner), hash: hashSecret(token), name: name.trim(), scope, zone, details, createdAt: now },
    ...(isFixed ? { period: null, fromAt: span.from, toAt: span.to } : { period: period ?? null }),
    target: target ?? null,
  };
  const row = await deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    if ((await tx.$count(reportLinks, ownedBy(reportLinks, owner.teamId))) >= MAX_REPORT_LINKS)
      throw new AppError("too_many_report_links", { limit: MAX_REPORT_LINKS });
    const [made] = await tx.insert(reportLinks).values(values).returning();
    const link = made as Link;
    const after = { scope, period: link.period, zone, target: link.target, details };
    await recordChange({ ...deps, db: tx }, owner, { action: "created", ...logged(link), after });
    return link;
  });
  return { token, link: present(row) };
};

const logged = ({ id, name, teamId }: Pick<Link, "id" | "name" | "teamId">) => ({
  object: { type: "report_link" as const, id, name },
  teamId,
});

/** @throws {AppError} not_found, also for another user's */
export const deleteLink = (deps: Pick<Deps, "db" | "clock" | "log">, owner: Viewer, linkId: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const [deleted] = await tx
      .delete(reportLinks)
      .where(and(eq(reportLinks.id, linkId), ownedBy(reportLinks, owner.teamId)))
      .returning();
    if (!deleted) throw notFound("Link");
    await recordChange({ ...deps, db: tx }, owner, { action: "deleted", ...logged(deleted) });
  });

/** Removes reasons, causes, notes and acknowledgements, which may have addresses in them. */
const withoutDetails = (report: Report): Report => ({
  ...report,
  outages: report.outages.map((outage) => ({
    ...outage,
    ...{ facts: null, error_code: null, error_detail: null, last_error_code: null, cause: null },
    ...{ explained_by: null, explaining: null, acknowledged: null, note: null, checks_failed: null },
  })),
  // Contracts have prices, and disks have paths.
  upcoming: report.upcoming.filter(({ kind }) => isExpiryKind(kind)),
});

/** The scope and the target of a link. */
const wantedOf = ({ scope, target }: Pick<Link, "scope" | "target">) => ({
  scope: { text: "link", parsed: parseScope(scope) },
  target: target ?? undefined,
  limit: MAX_LISTED,
});

/**
 * The report of a link, and its name.
 * @throws {AppError} not_found for a token without a link, and when what it is about was deleted; rate_limited
 */
export const readShared = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "costlyCalls" | "jwtSecret" | "installationId">,
  token: string,
  readPageTargets: ReadPageTargets,
): Promise<{ name: string; report: Report }> => {
  const signed = await readSigned(deps, token);
  if (signed) {
    const { schedule, span } = signed;
    const { id, zone, details } = schedule;
    const shown = { ...wantedOf(schedule), span, zone };
    const report = await deps.costlyCalls.run(`report schedule ${id}`, () =>
      readReport(deps, viewerOf(ownerOf(schedule)), shown, readPageTargets),
    );
    return { name: "", report: details ? report : withoutDetails(report) };
  }
  const [link] = await deps.db
    .select()
    .from(reportLinks)
    .where(eq(reportLinks.hash, hashSecret(token)));
  if (!link) throw notFound("Report");
  const now = deps.clock.now();
  const { fromAt, toAt, period, zone } = link;
  const span =
    fromAt !== null && toAt !== null ? { from: fromAt, to: toAt } : spanOfPeriod(period ?? "last_month", zone, now);
  const wanted = { ...wantedOf(link), span, zone };
  // Visitors of one link wait for each other, and not for its owner.
  const report = await deps.costlyCalls.run(`report link ${link.id}`, () =>
    readReport(deps, viewerOf(ownerOf(link)), wanted, readPageTargets),
  );
  if ((link.openedAt ?? 0) <= now - MINUTE)
    await deps.db
      .update(reportLinks)
      .set({ openedAt: now })
      .where(
        and(eq(reportLinks.id, link.id), or(isNull(reportLinks.openedAt), lte(reportLinks.openedAt, now - MINUTE))),
      );
  return { name: link.name, report: link.details ? report : withoutDetails(report) };
};
