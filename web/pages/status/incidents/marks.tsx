import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PublicMonitor } from "../../../../src/modules/status-page/sections/monitors";
import { tipPlace } from "../../../ui/charts/use-slot-pointer";
import { useAddress } from "./address";
import type { Mark } from "./registry";

type Days = PublicMonitor["days"];
/** Incidents whose days touch each other, from the place of the first day to the last. */
type Group = { from: number; to: number; marks: Mark[] };

/** The incidents of a bar, together where they share days. */
const groupsOf = (marks: readonly Mark[], days: Days): Group[] => {
  const last = days.length - 1;
  const placeOf = (time: string): number => {
    const date = time.slice(0, 10);
    const place = days.findIndex((day) => day.date === date);
    return place >= 0 ? place : date < (days[0]?.date ?? "") ? 0 : last;
  };
  const groups: Group[] = [];
  for (const mark of marks) {
    const [from, to] = [placeOf(mark.from), mark.to === null ? last : placeOf(mark.to)];
    const group = groups.at(-1);
    if (group && from <= group.to) {
      group.to = Math.max(group.to, to);
      group.marks.push(mark);
    } else groups.push({ from, to, marks: [mark] });
  }
  return groups;
};

/** The least width of the target of a pointer, as a share of the bar. */
const LEAST_TARGET = 1 / 14;

/** The span of a group, or a span of `least` around its middle, within the bar. */
const widen = ({ from, to }: Group, least: number, count: number) => {
  const width = Math.max(to - from + 1, least * count);
  const start = (from + to + 1 - width) / 2;
  return { x: Math.max(0, Math.min(count - width, start)), width };
};

/** Incidents as dots below the days of a bar: each leads to its incident, or to the day of the last of several. */
export function Marks({ marks, days }: { marks: readonly Mark[]; days: Days }) {
  const { t } = useTranslation();
  const addressAt = useAddress();
  const [shown, setShown] = useState<Group>();
  const groups = groupsOf(marks, days);
  const count = days.length;
  const textOf = (group: Group) => group.marks.map(({ title }) => title).join(" · ");
  const addressOf = ({ from, marks: [first, ...others] }: Group) =>
    addressAt(
      others.length === 0 ? first?.path : first?.path.replace(/incidents\/\w+$/, `history?day=${days[from]?.date}`),
    );
  return (
    <div className="incident-marks">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: its links have names, and the drawing none */}
      <svg viewBox={`0 0 ${count} 24`} preserveAspectRatio="none">
        {groups.map((group) => (
          <a
            key={group.marks[0]?.path}
            href={addressOf(group)}
            aria-label={`${t("incidents.history.incident")}: ${textOf(group)}`}
            onPointerEnter={() => setShown(group)}
            onPointerLeave={() => setShown(undefined)}
            onFocus={() => setShown(group)}
            onBlur={() => setShown(undefined)}
          >
            <rect className="target" y="0" height="24" {...widen(group, LEAST_TARGET, count)} />
            <path className="sign" d={`M${group.from + 0.5} 8H${group.to + 0.5}`} />
          </a>
        ))}
      </svg>
      {shown && (
        <span className="tip" style={{ left: tipPlace((shown.from + shown.to) / 2, count, "7.5rem") }}>
          {textOf(shown)}
        </span>
      )}
    </div>
  );
}
