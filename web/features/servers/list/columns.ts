import { useMemo, useSyncExternalStore } from "react";
import { PHONE, useMedia } from "../../../lib/hooks/use-media";
import { choicesAtom } from "../../../lib/storage";
import type { Translation } from "../../../locales/zh-CN";
import type { Selection } from "../api";

type Name = Exclude<keyof Translation["agents"]["column"], "actions">;
/** `rem`: the least width. `grow`: the share of the width that is left over; 0 for a column of one width. */
export type Column = { name: Name; by?: Selection["sort"]; number?: true; rem: number; grow: number };

/** The columns in their order. */
const COLUMNS = [
  { name: "name", by: "name", rem: 10.5, grow: 1.4 },
  { name: "state", by: "status", rem: 4.75, grow: 0.4 },
  { name: "cpu", by: "cpu", rem: 3.5, grow: 0.4 },
  { name: "memory", by: "memory", rem: 3.5, grow: 0.4 },
  { name: "disk", by: "disk", rem: 3.5, grow: 0.4 },
  { name: "full", by: "disk_full", rem: 4.5, grow: 0.3 },
  { name: "network", by: "network", number: true, rem: 8.25, grow: 0 },
  { name: "traffic", by: "traffic", number: true, rem: 4.75, grow: 0 },
  { name: "load", by: "load", number: true, rem: 3, grow: 0 },
  { name: "temperature", number: true, rem: 3.25, grow: 0 },
  { name: "uptime", by: "uptime", number: true, rem: 3.75, grow: 0 },
  { name: "report", by: "reported", number: true, rem: 6.25, grow: 0 },
  { name: "ip", rem: 8, grow: 0.4 },
  { name: "host", by: "hostname", rem: 5.5, grow: 0.9 },
  { name: "os", by: "os", rem: 9.5, grow: 0.6 },
  { name: "version", rem: 6.5, grow: 0.6 },
  { name: "agent", rem: 4.5, grow: 0.2 },
] as const satisfies readonly Column[];

/** The columns that only a window with room for all others has. */
const LAST: readonly Name[] = ["traffic", "load", "temperature", "agent"];
/** The columns of a server's two lines on a phone. */
const ON_PHONE: readonly Name[] = ["name", "state", "report", "cpu", "memory", "disk", "traffic"];

/** The widths of a row in rem: its padding with the menu at its end, and the space between two columns. */
const [ENDS, GAP] = [4, 0.75];

/** The columns that the viewer may hide. */
export const OPTIONAL_NAMES = COLUMNS.map(({ name }) => name).filter((name) => name !== "name" && name !== "state");

/** The columns that the viewer does not want to see. */
export const hiddenColumnsAtom = choicesAtom("agents.hiddenColumns", OPTIONAL_NAMES);

const widthOf = (columns: readonly Column[]) => columns.reduce((sum, { rem }) => sum + rem + GAP, ENDS);

/** The columns of a table that is this wide, in rem. */
export const columnsOf = (width: number, hidden: readonly string[]): Column[] => {
  const wanted = COLUMNS.filter(({ name }) => !hidden.includes(name));
  const isLast = ({ name }: Column) => LAST.includes(name);
  const columns: Column[] = [];
  for (const column of [...wanted.filter((one) => !isLast(one)), ...wanted.filter(isLast)]) {
    if (widthOf([...columns, column]) > width) break;
    columns.push(column);
  }
  return wanted.filter((column) => columns.includes(column));
};

const listen = (changed: () => void) => {
  addEventListener("resize", changed);
  return () => removeEventListener("resize", changed);
};

/** The width of the page's content in rem: the window's without the padding, at most the greatest width of shell.css. */
const contentWidth = (): number => {
  const { clientWidth } = document.documentElement;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const window = (clientWidth || innerWidth) / rem;
  return Math.floor(Math.min(window, 160) - (window <= 60 ? 2 : 3));
};

/** The columns of the table of servers in this window. `hasForecasts`: a disk of a loaded server has a forecast. */
export const useColumns = (hidden: readonly string[], hasForecasts: boolean): readonly Column[] => {
  const isPhone = useMedia(PHONE);
  const width = useSyncExternalStore(listen, contentWidth);
  return useMemo(
    () =>
      isPhone
        ? COLUMNS.filter(({ name }) => ON_PHONE.includes(name))
        : columnsOf(width, hasForecasts ? hidden : [...hidden, "full"]),
    [isPhone, width, hidden, hasForecasts],
  );
};

/** The value of `grid-template-columns` for these columns and the menu. */
export const templateOf = (columns: readonly Column[]): string =>
  [...columns.map(({ rem, grow }) => (grow > 0 ? `minmax(${rem}rem, ${grow}fr)` : `${rem}rem`)), "2rem"].join(" ");
