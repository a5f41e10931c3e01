import type { Static } from "@sinclair/typebox";
import { t } from "elysia";
import { id, integer, list, nullable, number, object, text } from "../../../server/answers";
import { field, parseZone, whole } from "../../../server/schema";
import { MAX_REPORT_CHANNELS, MAX_REPORT_SCHEDULES } from "../../../shared/reports/schedule";
import { readReportChannels } from "../../alerting/reports";
import { atMost, definePart, fileId, parseItem } from "../../transfer/part";
import { parseScope, scheduleModel } from "../model";
import { insertSchedule, ReportSchedule, readSchedules } from "./service";

const target = t.Optional(t.Union([fileId, t.Null()]));

const sentSchedule = t.Composite([
  t.Omit(scheduleModel, ["channels"]),
  t.Object({
    monitor: target,
    agent: target,
    // Deleted channels are not exported, which may leave none.
    channels: t.Array(whole(0, Number.MAX_SAFE_INTEGER), atMost(MAX_REPORT_CHANNELS)),
  }),
]);
type Sent = Static<typeof sentSchedule>;

const { every, hour, zone, share, details } = ReportSchedule.properties;

const keyOf = ({
  every,
  hour,
  zone,
  scope,
  channels,
}: {
  every: string;
  hour: number;
  zone: string;
  scope: string;
  channels: number[];
}) => JSON.stringify([every, hour, zone, scope, channels]);

/** The scheduled reports of an exported file. Those that a user has are kept. */
export const reportSchedulesPart = definePart({
  key: "report_schedules",
  counted: "report_schedules",
  sent: field(
    t.Array(sentSchedule, atMost(MAX_REPORT_SCHEDULES)),
    "Scheduled reports. Reports about a monitor or server have its id instead of a scope; those without a channel here are left out.",
  ),
  exported: list(
    object({
      ...{ every, hour, zone },
      scope: text("What it is about; `all` where `monitor` or `agent` says it.", "tag:production"),
      monitor: nullable(id("The monitor's id in the file.", 5), null),
      agent: nullable(id("The server's id in the file.", 5), null),
      target: nullable(number("The target for the uptime in percent.", 99.9)),
      channels: list(integer("A channel's id in the file.", 2)),
      ...{ share, details },
    }),
  ),
  async *export({ deps, owner }) {
    const all = await readReportChannels(deps, owner);
    for (const schedule of await readSchedules(deps, owner.teamId)) {
      const { every, hour, zone, scope, target, share, details } = schedule;
      const parsed = parseScope(scope);
      const about = parsed.kind === "target" ? { [parsed.type]: parsed.id } : {};
      yield {
        ...{ every, hour, zone, scope: parsed.kind === "target" ? "all" : scope, monitor: null, agent: null, ...about },
        ...{ target, channels: schedule.channels.filter((channelId) => all.has(channelId)), share, details },
      };
    }
  },
  parse: (sent: Sent[], refuse) =>
    sent.map((schedule, index) => {
      const { zone = "UTC", scope = "all", monitor = null, agent = null } = schedule;
      const parsed = parseItem(() => [parseZone(zone), parseScope(scope)] as const, { index, refuse, otherwise: null });
      const about = [monitor, agent, scope === "all" ? null : scope].filter((one) => one !== null);
      if (parsed?.[1].kind === "target" || about.length > 1)
        refuse(`${index}.scope`, "expected one of a scope, a monitor and a server of the file");
      return { ...schedule, zone, scope, monitor, agent };
    }),
  references: (schedule, { field, list }) => {
    const ofMonitor = field(schedule, "monitor", "monitors");
    const ofTarget = ofMonitor && field(ofMonitor, "agent", "agents");
    return ofTarget && { ...ofTarget, channels: list("channels", ofTarget.channels, "channels") };
  },
  import: async (sent, { deps, owner }) => {
    const stored = await readSchedules(deps, owner.teamId);
    const taken = new Set(stored.map(keyOf));
    let created = 0;
    for (const { monitor, agent, target = null, share = false, details = false, ...given } of sent) {
      const scope = monitor !== null ? `monitor:${monitor}` : agent !== null ? `agent:${agent}` : given.scope;
      const schedule = { ...given, scope, target, share, details };
      if (taken.has(keyOf(schedule)) || schedule.channels.length === 0 || taken.size >= MAX_REPORT_SCHEDULES) continue;
      await insertSchedule(deps, owner, schedule);
      taken.add(keyOf(schedule));
      created++;
    }
    return { created };
  },
});
