import { type Static, t } from "elysia";
import { list, object } from "../../../server/answers";
import { field } from "../../../server/schema";
import { WINDOW_LIMITS } from "../../../shared/outages/maintenance";
import { atMost, definePart, parseItem } from "../../transfer/part";
import { parseSchedule, parseTargets, windowModel } from "./model";
import { presentWindowFields, windowFields } from "./present";
import { insertWindow, isOverAt, readOpenWindows, type WindowInput } from "./service";

// A window that was started by a call may have no title.
const sentWindow = t.Composite([
  t.Omit(windowModel, ["title"]),
  t.Object({ title: t.String({ maxLength: WINDOW_LIMITS.title }) }),
]);
type Sent = Static<typeof sentWindow>;

const inputOf = (sent: Sent): WindowInput => ({
  title: sent.title,
  targets: parseTargets(sent),
  schedule: parseSchedule(sent.schedule, "UTC"),
  counted: sent.counted ?? false,
});

const keyOf = (window: WindowInput): string => JSON.stringify(presentWindowFields(window));

/** The maintenance windows of an exported file that are not over. */
export const windowsPart = definePart({
  key: "windows",
  counted: "windows",
  sent: field(
    t.Array(sentWindow, atMost(WINDOW_LIMITS.windows)),
    "Maintenance windows. Those that are over, and those about nothing in the file, are left out.",
  ),
  exported: list(object(windowFields)),
  async *export({ deps, owner }) {
    for (const row of await readOpenWindows(deps, owner.teamId)) yield presentWindowFields(row);
  },
  parse: (sent: Sent[], refuse) => {
    for (const [index, window] of sent.entries()) parseItem(() => inputOf(window), { index, refuse, otherwise: null });
    return sent;
  },
  references: (window, { list }) => {
    const monitors = list("monitors", window.monitors ?? [], "monitors");
    const agents = list("agents", window.agents ?? [], "agents");
    const isAboutNothing = !window.all && monitors.length + agents.length + (window.tags?.length ?? 0) === 0;
    return isAboutNothing ? null : { ...window, monitors, agents };
  },
  import: async (sent, { deps, owner, now }) => {
    const taken = new Map((await readOpenWindows(deps, owner.teamId)).map((row) => [keyOf(row), row.id]));
    const isNew: boolean[] = [];
    const ids: (number | null)[] = [];
    for (const window of sent.map(inputOf)) {
      const key = keyOf(window);
      const creates = !taken.has(key) && !isOverAt(window.schedule, now);
      if (creates) taken.set(key, (await insertWindow(deps.db, owner, window, now)).id);
      isNew.push(creates);
      ids.push(taken.get(key) ?? null);
    }
    return { ids, isNew, created: isNew.filter(Boolean).length };
  },
});
