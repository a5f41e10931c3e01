import { useAtomValue, useSetAtom } from "jotai";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isExpiryKind } from "../../../src/shared/certificate";
import { withoutScheme } from "../../lib/web-address";
import { paths } from "../../paths";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { OwnerTag, StatusMark } from "../../ui/feedback/badge";
import { useFormat } from "../../ui/hooks/use-format";
import { useMonitorWords } from "../../ui/hooks/use-monitor-words";
import { ExplainedMark } from "../notifications/dependencies/explained-mark";
import { MutedMark } from "../notifications/mute/mute-menu";
import { Since } from "../outages/start";
import { AcknowledgeButton, AcknowledgedMark, UnstableMark } from "./acknowledge";
import { dashboardAtom, groupsOf, hubUnknownAtom, isBroken, isPassive, type Problem, targetKey } from "./api";
import { ProbableCause } from "./cause";
import { outageMark } from "./outage-mark";
import { Lasting, ProblemParts } from "./parts";
import { ProblemActions } from "./problem-actions";
import { useReason } from "./use-reason";

type BlockProps = {
  /** Only the problems of monitors, or of servers. */
  only?: Problem["target_type"];
  /** Called after an action has changed a target, besides the refresh of the block itself. */
  onChanged?: () => void;
};

/** The list that has the targets of problems of this kind. */
const listOf = (kind: Problem["kind"]): string => {
  if (kind === "down") return `${paths.monitors}?status=down`;
  if (kind === "slow") return `${paths.monitors}?status=degraded`;
  if (isExpiryKind(kind)) return paths.monitors;
  return kind === "offline" ? `${paths.agents}?status=inactive` : paths.agents;
};

/** The current problems with reasons, times and actions. Renders nothing while all is well. */
export function ProblemBlock({ only, onChanged }: BlockProps) {
  const { t } = useTranslation();
  const { data } = useAtomValue(dashboardAtom);
  const isNew = useNew(data?.problems);
  const refresh = useSetAtom(dashboardAtom);
  const changed = () => {
    onChanged?.();
    void refresh();
  };
  if (!data) return null;
  const problems = data.problems.filter(({ target_type }) => only === undefined || target_type === only);
  if (problems.length === 0) return null;
  const missing = only === undefined ? data.problems_total - data.problems.length : 0;
  const tone = data.unknown ? "unknown" : problems.some(isBroken) ? "down" : "soon";
  return (
    <section className={`problems ${tone}${only ? ` of-list of-${only}s` : ""}`} aria-label={t("problems.title")}>
      <ul>
        {groupsOf(problems, targetKey).map(([first, ...more]) => (
          <li key={first.id} className={[first, ...more].some(({ id }) => isNew(id)) ? "arrived" : undefined}>
            <ProblemRow problem={first} more={more} list={only} onChanged={changed} />
          </li>
        ))}
      </ul>
      {missing > 0 && (
        <p className="more">
          <Link href={listOf(problems.at(-1)?.kind ?? "down")}>{t("problems.more", { count: missing })}</Link>
        </p>
      )}
    </section>
  );
}

/** Which problems were not among the first that the block has shown: they flash once. */
const useNew = (problems: readonly Problem[] | undefined) => {
  const first = useRef<Set<number>>(undefined);
  useEffect(() => {
    if (problems) first.current ??= new Set(problems.map(({ id }) => id));
  }, [problems]);
  return (id: number): boolean => first.current?.has(id) === false;
};

type RowProps = { problem: Problem; onChanged: () => void };
/** `list`: the list below the block. Its rows have a menu without buttons, and two figures in the list of monitors. */
type SingleProps = RowProps & {
  list: Problem["target_type"] | undefined;
  /** The further problems of the same target. */
  more: readonly Problem[];
};

/**
 * One problem in one line, or in two lines on narrow screens, with the further reasons of a monitor below the first one; of a
 * server with several, a line for each of them.
 */
function ProblemRow({ problem, more, list, onChanged }: SingleProps) {
  const all = [problem, ...more];
  const isSingle = more.length === 0 || problem.target_type === "monitor";
  const isUnknown = useAtomValue(hubUnknownAtom) !== null;
  const tone = isUnknown ? "unknown" : all.some(isBroken) ? "down" : "soon";
  return (
    <article className={`problem ${tone}${isSingle ? "" : " several"}`}>
      <Whose problems={isSingle ? [problem] : all} />
      {isSingle ? (
        <Single problem={problem} more={more} list={list} onChanged={onChanged} />
      ) : (
        <Parts problems={all} onChanged={onChanged} />
      )}
      <ProblemActions problem={problem} isSingle={isSingle} inList={list !== undefined} onChanged={onChanged} />
    </article>
  );
}

/** The target of the problems: the shape of its state, its name, and below it what is checked. */
function Whose({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation();
  const words = useMonitorWords();
  const [problem] = problems;
  if (!problem) return null;
  const { kind, target_type, target_id, target_name, target, owner, team } = problem;
  const isFlapping = problems.some(({ flapping }) => flapping);
  const checked = words.target({ kind: isPassive(problem) ? "heartbeat" : "", target: target ?? "" });
  const note = problems.length > 1 ? t("problems.alerts", { count: problems.length }) : withoutScheme(checked);
  return (
    <div className="whose">
      <span className="shape">
        <StatusMark status={outageMark(kind)} label={t(`outages.kinds.${kind}.label`)} />
      </span>
      <h2 className="named">
        <Link
          href={target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id)}
          className="truncate"
          title={target_name}
        >
          {target_name}
        </Link>
        <MutedMark of={problem} />
      </h2>
      {((owner ?? team) !== undefined || isFlapping || note) && (
        <p className="named note">
          <OwnerTag of={problem} />
          <UnstableMark flapping={isFlapping} />
          {note && (
            <span className={problems.length > 1 ? "count" : "checked-target truncate"} title={checked}>
              {note}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Each problem of a server in one line. */
function Parts({ problems, onChanged }: { problems: readonly Problem[] } & Pick<RowProps, "onChanged">) {
  const { t } = useTranslation();
  const reason = useReason();
  const parts = problems.map((problem) => ({
    ...problem,
    reason: reason(problem) || t(`outages.kinds.${problem.kind}.label`),
  }));
  return <ProblemParts parts={parts} onChanged={onChanged} />;
}

/** The further problems of a monitor, each with a link to its outage. */
function Further({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation();
  const reason = useReason();
  return problems.map((problem) => (
    <p key={problem.id} className="further">
      <Link href={paths.outage(problem.id)}>{reason(problem) || t(`outages.kinds.${problem.kind}.label`)}</Link>
      <AcknowledgedMark acknowledged={problem.acknowledged} />
    </p>
  ));
}

/** The reason and the start of a problem, its latest results, and its acknowledge button. */
function Single({ problem, more, list, onChanged }: SingleProps) {
  const { t } = useTranslation();
  const { id, target_type, target_id, target_name: name, since, acknowledged, history } = problem;
  return (
    <>
      <div className="why">
        <p className="reason">{useReason()(problem) || t(`outages.kinds.${problem.kind}.label`)}</p>
        {problem.explaining ? (
          <ExplainedMark by={problem.explaining} />
        ) : (
          <ProbableCause cause={problem.cause} monitor={{ id: target_id, name }} onChanged={onChanged} />
        )}
        <AcknowledgedMark acknowledged={acknowledged} />
        <Further problems={more} />
      </div>
      {target_type === "monitor" && (
        <div className="pulse">
          <PulseBar history={history} count={40} />
        </div>
      )}
      <p className="since">
        <Link href={paths.outage(id)} title={t("outages.linkOf", { name })}>
          <span className="begun">
            <Since outage={{ ...problem, started_at: since }} />
          </span>
          <Lasting since={since} last={history.at(-1)?.timestamp} isDown={isBroken(problem)} />
        </Link>
      </p>
      {list === "monitor" && <Figures problem={problem} />}
      <AcknowledgeButton outage={{ id, name }} acknowledged={acknowledged} onChanged={onChanged} />
    </>
  );
}

/** The response time of the last check and the uptime, as in the columns of the list. */
function Figures({ problem: { history, uptime } }: Pick<RowProps, "problem">) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <dl className="figures">
      <div>
        <dt>{t("monitors.column.response")}</dt>
        <dd>{format.milliseconds(history.at(-1)?.response_time ?? null)}</dd>
      </div>
      <div>
        <dt>{t("monitors.column.uptimeOfMonth")}</dt>
        <dd>{format.percent(uptime)}</dd>
      </div>
    </dl>
  );
}
