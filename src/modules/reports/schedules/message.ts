/** The message of a report that is sent: a title, five lines and a link; the whole of it as a mail; its figures for programs. */
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { ownedBy, viewerOf } from "../../../db/owner";
import { reportSchedules } from "../../../db/schema";
import { createMutex } from "../../../lib/concurrency";
import { REPORT_EVENT, type ReportFacts } from "../../../shared/notifications";
import { renderTemplate } from "../../../shared/template/template";
import { dateOfDay, dayIn } from "../../../shared/time-zone";
import type { MessageContext } from "../../alerting/channels/kind";
import type { ReportFigures } from "../../alerting/channels/report-figures";
import type { Message } from "../../alerting/channels/text";
import type { ComposeReport } from "../../alerting/delivery/attempt";
import { oneLine, type Reader, zoneOf } from "../../alerting/messages/format";
import { parseScope } from "../model";
import { type Report, readReport } from "../report";
import type { ReadPageTargets } from "../targets";
import { type Schedule, signReport } from "./link";
import { renderMail } from "./mail";
import { readScopeName } from "./service";
import { createTexts, linesOf } from "./texts";

/** Targets of one mail, those with the lowest uptime first; mail clients cut off longer ones. */
const LISTED = 50;
/** Targets with the lowest uptime that programs get. */
const LOWEST = 5;

const spanOf = ({ from, to }: ReportFacts) => ({ from: Date.parse(from), to: Date.parse(to) });

const figuresOf = (report: Report, { schedule_id, every, from, to, zone, scope }: ReportFacts): ReportFigures => {
  const { totals, targets, rows, upcoming } = report;
  const { uptime, watched_seconds, down_seconds, outages, target, worst_day, p50, p95 } = totals;
  const targetOf = ({
    target_type,
    target_id,
    target_name,
  }: Pick<Report["rows"][number], "target_type" | "target_id" | "target_name">) => ({
    target_type,
    target_id,
    target_name,
  });
  return {
    ...{ schedule_id, every, from, to, zone, scope, targets: targets.total },
    ...{ uptime, watched_seconds, down_seconds, outages, worst_day, p50, p95 },
    objective: target && { percent: target.percent, met: target.met, left_seconds: target.left_seconds },
    lowest: rows
      .filter((row) => row.down_seconds > 0)
      .slice(0, LOWEST)
      .map((row) => ({ ...targetOf(row), uptime: row.uptime, outages: row.outages })),
    upcoming: upcoming.map((entry) => ({ kind: entry.kind, ...targetOf(entry), at: entry.at })),
  };
};

type Store = Pick<Deps, "db" | "clock" | "config" | "jwtSecret" | "installationId">;

/** The schedule of a report, if the messages of it share a link; null also when it was changed or deleted since. */
const readSharing = async (deps: Store, teamId: number, facts: ReportFacts): Promise<Schedule | null> => {
  const isOwn = and(eq(reportSchedules.id, facts.schedule_id), ownedBy(reportSchedules, teamId));
  const [schedule] = await deps.db.select().from(reportSchedules).where(isOwn);
  const { zone, scope, target } = facts;
  const isSame = schedule?.zone === zone && schedule.scope === scope && schedule.target === target;
  return schedule?.share && isSame ? schedule : null;
};

/** The address of the report: without a session if its schedule shares it, else on the screen of reports. */
const linkOf = (deps: Store, sharing: Schedule | null, facts: ReportFacts, base: string): string | null => {
  if (!base) return null;
  const span = spanOf(facts);
  if (sharing) return `${base}/reports/shared/${signReport(deps, sharing, span)}`;
  const { zone, scope, target } = facts;
  const search = new URLSearchParams({
    from: dateOfDay(dayIn(zone, span.from)),
    to: dateOfDay(dayIn(zone, span.to - 1)),
    ...(scope !== "all" && { scope }),
    ...(target !== null && { target: String(target) }),
  });
  return `${base}/reports?${search}`;
};

/** The message of a report that was read. */
export const messageOf = (
  report: Report,
  { facts, name, link, reader }: { facts: ReportFacts; name: string; link: string | null; reader: Reader },
): Message & MessageContext => {
  const texts = createTexts(report, facts, reader);
  const { words } = texts;
  const summary =
    report.totals.uptime === null ? words.nothingWatched : words.uptimeIs(texts.uptime(report.totals.uptime));
  const heading = words.labelled(words.title(texts.period(), oneLine(name)), summary);
  const title = `📊 ${heading}`;
  const lines = linesOf(report, texts, reader);
  const values = {
    ...{ title: { text: title }, message: { text: lines.join("\n") }, event: { text: REPORT_EVENT } },
    ...{ severity: { text: "info" }, ...(link && { link: { text: link } }) },
  };
  return {
    ...{ title, lines, link, event: null, language: reader.language },
    report: figuresOf(report, facts),
    mail: renderMail(report, { texts, heading, lines, link, language: reader.language }),
    fill: (template) => renderTemplate(template, values, zoneOf(reader)),
  };
};

/** Composes reports, one at a time: each reads the history of up to 2,000 targets. */
export const createReportComposer = (deps: Store, readPageTargets: ReadPageTargets): ComposeReport => {
  const oneByOne = createMutex();
  return async (owner, facts, reader, base) => {
    const name = await readScopeName(deps, owner.teamId, facts.scope);
    if (name === null) return null;
    const sharing = await readSharing(deps, owner.teamId, facts);
    // What its link shows, which is never about other users; without one, what the owner sees on the screen of reports.
    const isAdmin = owner.role === "admin" && deps.config.adminSees === "all";
    const viewer = viewerOf(owner, owner.role, isAdmin && !sharing);
    const wanted = {
      ...{ span: spanOf(facts), zone: facts.zone, target: facts.target ?? undefined, limit: LISTED },
      scope: { text: facts.scope, parsed: parseScope(facts.scope) },
    };
    try {
      const report = await oneByOne(() => readReport(deps, viewer, wanted, readPageTargets));
      return messageOf(report, { facts, name, link: linkOf(deps, sharing, facts, base), reader });
    } catch (error) {
      if (error instanceof AppError && error.code === "not_found") return null;
      throw error;
    }
  };
};
