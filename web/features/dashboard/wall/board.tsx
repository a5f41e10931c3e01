import { useAtomValue } from "jotai";
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { aheadAtom } from "../../../lib/now";
import { paths } from "../../../paths";
import { StatusMark } from "../../../ui/feedback/badge";
import { Elapsed } from "../../../ui/feedback/elapsed";
import { UnknownLine } from "../../../ui/feedback/unknown-line";
import { useFormat } from "../../../ui/hooks/use-format";
import { Mark } from "../../../ui/layout/mark";
import { Since } from "../../outages/start";
import { type Group, groupsOf, isBroken } from "../../problems/api";
import { outageMark } from "../../problems/outage-mark";
import { useReason } from "../../problems/use-reason";
import { Verdict } from "../verdict";
import { useWallState, type Wall } from "./data";
import { fitProblems, fitTiles } from "./fit";
import { useWallDocument } from "./use-wall";

/** Age of data that is no longer trusted (ms): four polls. */
const STALE = 20_000;

/** A time of the browser's clock, refreshed each second. */
const useSeconds = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

type Size = { width: number; height: number };

/** The size of an element (px), also after the window has changed. */
const useSize = (ref: RefObject<HTMLElement | null>): Size => {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
};

const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

type WallProblem = Wall["problems"][number];

/** The wall has names only, so targets with one name share a tile. */
const tileKey = ({ target_type, target_name }: WallProblem): string => `${target_type} ${target_name}`;

/** A target with the reasons of its problems, and the start of the worst one. */
function Target({ problems }: { problems: Group<WallProblem> }) {
  const { t } = useTranslation();
  const reason = useReason();
  const labelOf = ({ kind }: WallProblem) => t(`outages.kinds.${kind}.label`);
  const [first] = problems;
  return (
    <>
      <StatusMark status={outageMark(first.kind)} label={labelOf(first)} />
      <h2 className="truncate">{first.target_name}</h2>
      {problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no state of its own
        <div className="what" key={index}>
          <p className="reason">
            {reason(problem) || labelOf(problem)}
            {problem.acknowledged && ` · ${t("dashboard.wall.acknowledged")}`}
          </p>
          {problem === first && (
            <p className="since">
              <Since outage={{ ...problem, started_at: problem.since }} /> · <Elapsed since={problem.since} />
            </p>
          )}
        </div>
      ))}
    </>
  );
}

/** The problems, as large as fits, and the number of those that do not. */
function Problems({ wall, area }: { wall: Wall; area: Size }) {
  const { t, i18n } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const { problems, problems_total, well } = wall;
  const targets = useMemo(() => groupsOf(problems, tileKey), [problems]);
  const [shown, setShown] = useState(targets.length);
  // Reasons have other lengths in another language.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change the size of the list
  useLayoutEffect(() => {
    if (!list.current || area.height === 0) return;
    const line = 2 * rem();
    const room = area.height - (well.total > 0 ? 1.5 * line : 0);
    const enough = well.total > 0 ? 0.6 * area.height : room;
    setShown(fitProblems(list.current, { room, enough, more: line }));
  }, [problems, well.total, area, i18n.language]);
  const missing = problems_total - targets.slice(0, shown).flat().length;
  return (
    <>
      <ul className="wall-problems" aria-label={t("problems.title")} ref={list}>
        {targets.map((ofTarget) => (
          <li key={tileKey(ofTarget[0])} className={ofTarget.some(isBroken) ? "down" : undefined}>
            <Target problems={ofTarget} />
          </li>
        ))}
      </ul>
      {missing > 0 && <p className="wall-more">{t("dashboard.wall.more", { count: missing })}</p>}
    </>
  );
}

/** Tiles with the names of targets without problems while they fit, otherwise their number. */
function Well({ wall: { well, problems } }: { wall: Wall }) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const { width, height } = useSize(box);
  const unit = rem();
  const area = { width: width / unit, height: height / unit - 2.25 };
  const tiles = well.names.length > 0 ? fitTiles(area, well.names.length) : null;
  const sizes = tiles && {
    "--columns": tiles.columns,
    "--height": `${tiles.height}rem`,
    "--font": `${tiles.font}rem`,
    maxHeight: `${tiles.most}rem`,
  };
  const place = tiles ? "" : problems.length > 0 ? " count" : " count alone";
  return (
    <section className={`wall-well${place}`} ref={box}>
      <h2>{t("dashboard.wall.well", { count: well.total })}</h2>
      {sizes && (
        <ul className="wall-tiles" style={sizes as CSSProperties}>
          {well.names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and a tile has no state
            <li key={index}>
              <span className="truncate">{name}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The numbers of targets that are paused, unknown or wait for a first result. */
const useOthers = ({ monitors, agents }: Wall): string[] => {
  const { t } = useTranslation();
  const count = (key: "paused" | "pending" | "unknown", number: number) =>
    number > 0 ? [t(`dashboard.wall.${key}`, { count: number })] : [];
  return [
    ...count("unknown", monitors.unknown),
    ...count("pending", monitors.pending + agents.connecting),
    ...count("paused", monitors.paused),
  ];
};

function Body({ wall }: { wall: Wall }) {
  const body = useRef<HTMLDivElement>(null);
  const area = useSize(body);
  return (
    <div className="wall-body" ref={body}>
      {wall.problems.length > 0 && <Problems wall={wall} area={area} />}
      {wall.well.total > 0 && <Well wall={wall} />}
    </div>
  );
}

/** The names of broken targets in maintenance, in one line. */
function Held({ wall: { in_maintenance } }: { wall: Wall }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, names } = in_maintenance;
  if (total === 0) return null;
  return (
    <p className="wall-held truncate">
      <StatusMark status="maintenance" label="" />
      {` ${t("common.status.maintenance")} (${names.length}): ${format.names(names)}`}
    </p>
  );
}

type FootProps = { wall: Wall; at: number; tags: readonly string[]; hasSession: boolean };

function Foot({ wall, at, tags, hasSession }: FootProps) {
  const { t, i18n } = useTranslation();
  const ahead = useAtomValue(aheadAtom);
  const shownTags = [...(wall.tag === null ? [] : [wall.tag]), ...tags];
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium", hourCycle: "h23" });
  return (
    <footer className="wall-foot">
      <p>{[...shownTags, ...useOthers(wall)].join(" · ")}</p>
      <p>{t("dashboard.wall.updated", { time: time.format(at + ahead) })}</p>
      {hasSession && (
        <Link href={paths.dashboard} className="brand">
          <Mark />
          Wakeful
        </Link>
      )}
    </footer>
  );
}

function Gone() {
  const { t } = useTranslation();
  return (
    <div className="wall-gone">
      <h1>{t("dashboard.wall.gone")}</h1>
      <p>{t("dashboard.wall.goneText")}</p>
    </div>
  );
}

type Props = {
  /** The key of the address; null for the session. */
  wallKey: string | null;
  /** The tags in the address. */
  tags: readonly string[];
};

/**
 * The view for televisions: problems first, then what is well, in one screen without anything to press or to scroll. It says so
 * when it is not current.
 */
export default function WallBoard({ wallKey, tags }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useSeconds();
  const [openedAt] = useState(now);
  const ahead = useAtomValue(aheadAtom);
  const search = tags.length > 0 ? `?${new URLSearchParams(tags.map((tag) => ["tag", tag]))}` : "";
  const { wall, at, gone } = useWallState(wallKey, search);
  useWallDocument();
  const age = now - (at ?? openedAt);
  const isLost = !gone && age > STALE;
  const lost =
    at === undefined
      ? t("dashboard.wall.never")
      : t("dashboard.wall.lost", { duration: format.elapsed(age / 1000), time: format.clock(at + ahead) });
  return (
    <div className={isLost || wall?.unknown ? "wall lost" : "wall"}>
      {gone ? (
        <Gone />
      ) : (
        <>
          <header className="wall-head">
            {isLost ? (
              <h1 className="wall-lost" role="alert">
                {lost}
              </h1>
            ) : (
              wall && <Verdict dashboard={wall} />
            )}
            <time className="wall-clock">{format.clock(now + ahead)}</time>
          </header>
          {wall && !isLost && wall.unknown && <UnknownLine text={t("unknown.hub")} />}
          {!isLost &&
            wall?.conditions.map(({ code }) => (
              <p key={code} className="message warn wall-line" role="status">
                {t(`dashboard.condition.${code}`)}
              </p>
            ))}
          {wall && <Body wall={wall} />}
          {wall && <Held wall={wall} />}
          {wall && at !== undefined && <Foot wall={wall} at={at} tags={tags} hasSession={wallKey === null} />}
        </>
      )}
    </div>
  );
}
