import { useAtomValue } from "jotai";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { SECOND } from "../../../src/shared/limits";
import { nowAtom } from "../../lib/now";
import { paths } from "../../paths";
import { Icon, type IconName } from "../../ui/controls/icon";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import { useOutageWords } from "../../ui/hooks/use-outage-words";
import type { Unknown as UnknownState } from "../../ui/hooks/use-unknown-words";
import { ChangeEntry } from "../changes/disclosure";
import { Deliveries } from "../notifications/history/deliveries";
import { useAcknowledgedText } from "../problems/acknowledge";
import { ProbableCause } from "../problems/cause";
import { outageTone } from "../problems/outage-mark";
import { PhasesLine } from "../problems/phases";
import { useReason } from "../problems/use-reason";
import type { Entry, Outage, OutageAnswer } from "./api";
import { useMessageTitle } from "./message-title";
import { Start } from "./start";
import { Maintained, Unknown } from "./time-entries";
import { UnsentEntry } from "./unsent-entry";

type Of<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;
type Props = { answer: OutageAnswer; unknown: UnknownState | null; onChanged: () => void };

const ICONS: Record<Entry["kind"], IconName> = {
  edited: "edit",
  changed: "edit",
  began: "down",
  checks: "pulse",
  unknown: "unknown",
  maintenance: "maintenance",
  cause: "search",
  explained: "layers",
  explains: "layers",
  acknowledged: "check",
  message: "bell",
  unsent: "muted",
  ended: "up",
};

/** A key that stays the same while entries are added. */
const keyOf = (entry: Entry): string =>
  entry.kind === "message"
    ? `message ${entry.message.id}`
    : entry.kind === "edited"
      ? `edited ${entry.change.id}`
      : `${entry.kind} ${"what" in entry ? entry.what : ""} ${entry.at}`;

/** Everything that happened in an outage, from its beginning to its end or to now. */
export function Timeline({ answer: { outage, timeline }, unknown, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const begin = timeline.find(({ kind }) => kind === "began")?.at ?? outage.started_at;
  return (
    <section className="card outage-timeline" aria-label={t("outages.timeline")}>
      <h2>{t("outages.timeline")}</h2>
      <ol className={`timeline ${outage.maintenance ? "maintenance" : outageTone(outage.kind)}`}>
        {timeline.map((entry) => (
          <Item
            key={keyOf(entry)}
            icon={ICONS[entry.kind]}
            at={entry.at}
            begin={begin}
            time={entry.kind === "began" && <Start outage={outage} short />}
            kind={entry.kind}
          >
            <What entry={entry} outage={outage} onChanged={onChanged} />
          </Item>
        ))}
        {outage.ended_at === null && (
          <li className={unknown ? "timeline-now unknown" : "timeline-now"}>
            <span className="timeline-mark" aria-hidden="true" />
            <p className="soft">
              {unknown ? t("outages.unknownSince", { time: format.moment(unknown.since) }) : t("outages.now")}
            </p>
          </li>
        )}
      </ol>
    </section>
  );
}

const isSameDay = (one: string, other: string): boolean =>
  new Date(one).toDateString() === new Date(other).toDateString();

type ItemProps = {
  icon: IconName;
  at: string;
  begin: string;
  /** Shown in place of `at`. */
  time: ReactNode;
  kind: Entry["kind"];
  children: ReactNode;
};

/** An entry with its time, and how long after the beginning that was. */
function Item({ icon, at, begin, time, kind, children }: ItemProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const after = Math.round((Date.parse(at) - Date.parse(begin)) / SECOND);
  return (
    <li className={`timeline-${kind}`}>
      <span className="timeline-mark">
        <Icon name={icon} />
      </span>
      <div>
        <p className="timeline-time">
          {time || (
            <time dateTime={at} title={format.dateTime(at)}>
              {isSameDay(at, begin) ? format.clock(at) : format.dateTime(at)}
            </time>
          )}
          {after > 0 && <span className="soft"> · {t("outages.after", { time: format.elapsed(after) })}</span>}
        </p>
        {children}
      </div>
    </li>
  );
}

type WhatProps = { entry: Entry; outage: Outage; onChanged: () => void };

/** The text of an entry. */
function What({ entry, outage, onChanged }: WhatProps) {
  switch (entry.kind) {
    case "edited":
      return <ChangeEntry change={entry.change} />;
    case "changed":
      return <Changed {...entry} />;
    case "began":
      return <Began entry={entry} outage={outage} />;
    case "checks":
      return <Checks entry={entry} outage={outage} />;
    case "unknown":
      return <Unknown entry={entry} />;
    case "maintenance":
      return <Maintained entry={entry} />;
    case "cause":
      return (
        <ProbableCause
          cause={entry.cause}
          monitor={{ id: outage.target_id, name: outage.target_name }}
          onChanged={onChanged}
        />
      );
    case "explained":
      return <Explained entry={entry} />;
    case "explains":
      return <Explains entry={entry} />;
    case "acknowledged":
      return <Acknowledged entry={entry} />;
    case "message":
      return <Message entry={entry} />;
    case "unsent":
      return <UnsentEntry entry={entry} outage={outage} />;
    case "ended":
      return <Ended entry={entry} outage={outage} />;
  }
}

/** The last change of a server by itself before the outage. */
function Changed({ what, version }: Of<"changed">) {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t(`outages.changes.${what}`, { version: version ?? "" })}</h3>
      <p className="soft">{t("outages.changedBefore")}</p>
    </>
  );
}

function Began({ entry, outage: { kind, subject, facts } }: { entry: Of<"began">; outage: Outage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reason = useReason()({ ...entry, kind, subject, facts, last_report: null });
  return (
    <>
      <h3>{useOutageWords()[kind].timeline[0]}</h3>
      <p>
        {reason}
        {entry.last_report && ` · ${t("outages.lastReport", { time: format.dateTime(entry.last_report) })}`}
        {facts?.phases && <PhasesLine phases={facts.phases} />}
      </p>
    </>
  );
}

/** Failed checks in a row, with the reason if it differs from the outage's first one. */
function Checks({ entry: { count, at, until, ...error }, outage }: { entry: Of<"checks">; outage: Outage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const reason = checkError(error);
  const details = [
    reason !== checkError(outage) && reason,
    until !== at && t("outages.until", { time: format.moment(until) }),
  ].filter(Boolean);
  return (
    <>
      <h3>
        {t(error.error_code?.startsWith("heartbeat_") ? "outages.pings" : "outages.checks", {
          count,
          number: format.number(count),
        })}
      </h3>
      {details.length > 0 && <p>{details.join(" · ")}</p>}
    </>
  );
}

type Related = Of<"explained">["by"];

const OutageLink = ({ outage: { id, target_name } }: { outage: Related }) => (
  <Link href={paths.outage(id)}>{target_name}</Link>
);

function Explained({ entry: { by } }: { entry: Of<"explained"> }) {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t("outages.explainedTitle")}</h3>
      <p>
        <OutageLink outage={by} /> · {t(`outages.kinds.${by.kind}.label`)}
      </p>
      <p className="soft">{t("outages.explainedText")}</p>
    </>
  );
}

function Explains({ entry: { count, first } }: { entry: Of<"explains"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const more = count - first.length;
  return (
    <>
      <h3>{t("outages.explains", { count, number: format.number(count) })}</h3>
      <ul className="timeline-names">
        {first.map((outage) => (
          <li key={outage.id}>
            <OutageLink outage={outage} />
          </li>
        ))}
        {more > 0 && <li className="soft">{t("outages.more", { count: more, number: format.number(more) })}</li>}
      </ul>
    </>
  );
}

function Acknowledged({ entry: { acknowledgement } }: { entry: Of<"acknowledged"> }) {
  const { t } = useTranslation();
  const text = useAcknowledgedText();
  return (
    <>
      <h3>{t("outages.acknowledged")}</h3>
      <p>{text(acknowledgement)}</p>
    </>
  );
}

/** A message with how it ended for each channel. */
function Message({ entry: { message } }: { entry: Of<"message"> }) {
  const title = useMessageTitle();
  const format = useFormat();
  const { t } = useTranslation();
  const now = useAtomValue(nowAtom);
  const isDue = Date.parse(message.at) > now;
  return (
    <>
      <h3>
        {title(message)}
        {isDue && <span className="soft"> · {t("outages.due")}</span>}
      </h3>
      {message.times > 1 && <p>{t("outages.until", { time: format.moment(message.until) })}</p>}
      <div className="event">
        <Deliveries deliveries={message.deliveries} />
      </div>
    </>
  );
}

function Ended({ entry: { how, lasted }, outage: { kind } }: { entry: Of<"ended">; outage: Outage }) {
  const { t } = useTranslation();
  const [, ended] = useOutageWords()[kind].timeline;
  const format = useFormat();
  return (
    <>
      <h3>{how === "recovered" ? ended : t(`outages.${how}`)}</h3>
      <p>{t("outages.lasted", { time: format.elapsed(lasted) })}</p>
    </>
  );
}
