import { eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import { hashSecret } from "../../core/secrets";
import { ownedBy } from "../../db/owner";
import { statusPages } from "../../db/schema";
import { escapeHtml } from "../../lib/html";
import { readMaintenance } from "../alerting/maintenance/running";
import { readUptime } from "../monitors/history/uptime";
import { shownStatus } from "../monitors/present";
import { readPublicMonitors } from "../monitors/service";
import { cachePage } from "./cache";
import { withTagged } from "./tagged";

const COLOURS = {
  up: "#1b7f4f",
  down: "#b3213a",
  degraded: "#825300",
  pending: "#825300",
  paused: "#565a70",
  none: "#565a70",
  maintenance: "#3a5aa8",
} as const;
export type BadgeTone = keyof typeof COLOURS;

const escapeXml = (text: string) => escapeHtml(text).replace(/\p{C}/gu, "");

/** The approximate width of a text in pixels; `textLength` makes the drawn text fit it exactly. */
const widthOf = (text: string) =>
  Math.round([...text].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) > 0x2e7f ? 11.5 : 6.6), 0));

const shorten = (text: string) => ([...text].length > 40 ? `${[...text].slice(0, 39).join("")}…` : text);

/** An SVG badge with a name on the left and a value on the right. */
export const drawBadge = (name: string, value: string, tone: BadgeTone): string => {
  const label = shorten(name);
  const [left, right] = [widthOf(label) + 14, widthOf(value) + 14];
  const [label_, value_] = [escapeXml(label), escapeXml(value)];
  const words = (text: string, x: number, width: number) =>
    `<text x="${x}" y="14" textLength="${width - 14}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label_}: ${value_}"><title>${label_}: ${value_}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath><g clip-path="url(#r)"><path fill="#3a384a" d="M0 0h${left}v20H0z"/><path fill="${COLOURS[tone]}" d="M${left} 0h${right}v20H${left}z"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${words(label_, left / 2, left)}${words(value_, left + right / 2, right)}</g></svg>`;
};

type Store = Pick<Deps, "db" | "clock" | "config" | "watching">;

/** The page that a key opens; undefined for other texts. */
const findByKey = async ({ db }: Pick<Store, "db">, key: string) => {
  const [page] = await db
    .select({ id: statusPages.id })
    .from(statusPages)
    .where(eq(statusPages.accessKeyHash, hashSecret(key)));
  return page?.id;
};

/** The monitor with this id, if it is on a public page, or on the page `pageId`, whose key the visitor has. */
const findShown = async (store: Store, id: number, pageId: number | undefined) => {
  const [row] = await readPublicMonitors(store, [id]);
  if (!row) return null;
  for (const page of await store.db.select().from(statusPages).where(ownedBy(statusPages, row.teamId)))
    if (page.access === "public" || page.id === pageId)
      if ((await withTagged(store, page)).monitors.includes(id)) return row;
  return null;
};

type Wanted = { type?: "status" | "uptime"; days?: number; key?: string };
type Drawn = { type: "status" | "uptime"; days: number; pageId: number | undefined };

const readBadge = async (store: Store, id: number, { type, days, pageId }: Drawn): Promise<string | null> => {
  const monitor = await findShown(store, id, pageId);
  if (!monitor) return null;
  const { name, active, status, slowBits, unknown } = monitor;
  if (type !== "uptime") {
    if (unknown) return drawBadge(name, "unknown", "none");
    const target = { type: "monitor", id, teamId: monitor.teamId } as const;
    const now = store.clock.now();
    if (active && (await readMaintenance(store, [target], now))(target, now) !== null)
      return drawBadge(name, "maintenance", "maintenance");
    const shownState = shownStatus(active, { status, slowBits });
    return drawBadge(name, shownState, shownState);
  }
  const share = (await readUptime(store, [id], days)).get(id);
  if (share === undefined) return drawBadge(`${name} · ${days} d`, "no data", "none");
  // Rounding must not turn 99.999 into a perfect 100.
  const text = `${(share === 100 ? share : Math.min(99.99, share)).toFixed(2)}%`;
  return drawBadge(`${name} · ${days} d`, text, share >= 99 ? "up" : share >= 95 ? "pending" : "down");
};

/** Bytes of memory that a cached badge takes besides its text. */
const ENTRY_BYTES = 200;

/**
 * The badge of a monitor: its status, or its uptime of some days. It is cached like pages, also the absence of a badge.
 * @throws {AppError} not_found, unless it is on a public page or on the private one of the key; unavailable, when too many are being made
 */
export const badgeOf = async (
  store: Store,
  id: number,
  { type = "status", days = 30, key }: Wanted,
): Promise<string> => {
  const pageId = key === undefined ? undefined : await findByKey(store, key);
  const made = await cachePage(
    store,
    `badge ${id} ${type === "status" ? type : days} ${pageId ?? ""}`,
    async () => ({ badge: await readBadge(store, id, { type, days, pageId }) }),
    ({ badge }) => 2 * (badge?.length ?? 0) + ENTRY_BYTES,
  );
  if (!made?.badge) throw notFound("Monitor");
  return made.badge;
};
