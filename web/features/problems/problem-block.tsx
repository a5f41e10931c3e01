import { useAtomValue, useSetAtom } from "jotai";
import { useEffect, useRef, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useMedia } from "../../lib/hooks/use-media";
import { paths } from "../../paths";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { Icon } from "../../ui/controls/icon";
import { Menu } from "../../ui/controls/menu";
import { OwnerTag, StatusMark } from "../../ui/feedback/badge";
import { Elapsed } from "../../ui/feedback/elapsed";
import { toast } from "../../ui/feedback/toast";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { MenuItem } from "../../ui/lists/row-menu";
import { ExplainedMark } from "../notifications/dependencies/explained-mark";
import { MuteChoices, MutedMark, MuteMenu } from "../notifications/mute/mute-menu";
import { AcknowledgeButton, AcknowledgedMark, UnstableMark, useAcknowledge } from "./acknowledge";
import { checkNow, dashboardAtom, isBroken, isPassive, type Problem, pauseMonitor } from "./api";
import { ProbableCause } from "./cause";
import { outageMark } from "./outage-mark";
import { ProblemParts } from "./parts";
import { useReason } from "./use-reason";

/** Two lines and a menu. The same width is in problems.css. */
const NARROW = "(max-width: 48rem)";

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
  if (kind === "certificate") return paths.monitors;
  return kind === "offline" ? `${paths.agents}?status=inactive` : paths.agents;
};

/** What is not well now, with why, since when and what to press. Renders nothing while all is well. */
export function ProblemBlock({ only, onChanged }: BlockProps) {
  const { t } = useTranslation();
  const { data } = useAtomValue(dashboardAtom);
  const isNew = useNew(data?.problems);
  if (!data) return null;
  const problems = data.problems.filter(({ target_type }) => only === undefined || target_type === only);
  if (problems.length === 0) return null;
  const missing = only === undefined ? data.problems_total - data.problems.length : 0;
  const tone = problems.some(isBroken) ? "down" : "soon";
  return (
    <section className={`problems ${tone}`} aria-label={t("problems.title")}>
      <ul>
        {byServer(problems).map(([first, ...more]) => (
          <li key={first.id} className={[first, ...more].some(({ id }) => isNew(id)) ? "arrived" : undefined}>
            <ProblemRow problem={first} more={more} onChanged={onChanged} />
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

/** Problems with those of the same server together, where the first of them is. */
const byServer = (problems: readonly Problem[]): [Problem, ...Problem[]][] =>
  [
    ...Map.groupBy(problems, ({ id, target_type, target_id }) =>
      target_type === "agent" ? `server ${target_id}` : `problem ${id}`,
    ).values(),
  ].flatMap(([first, ...more]) => (first ? [[first, ...more]] : []));

/** Which problems were not among the first that the block has shown: they flash once. */
const useNew = (problems: readonly Problem[] | undefined) => {
  const first = useRef<Set<number>>(undefined);
  useEffect(() => {
    if (problems) first.current ??= new Set(problems.map(({ id }) => id));
  }, [problems]);
  return (id: number): boolean => first.current?.has(id) === false;
};

type RowProps = { problem: Problem; onChanged?: () => void };

/** One problem in one line, or in two lines on narrow screens; of a server with several, a line for each of them. */
function ProblemRow({ problem, more, onChanged }: RowProps & { more: readonly Problem[] }) {
  const { t } = useTranslation();
  const { target_type, target_id, target_name, kind, history } = problem;
  const path = target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id);
  const all = [problem, ...more];
  return (
    <article className={`problem ${all.some(isBroken) ? "down" : "soon"}${more.length > 0 ? " several" : ""}`}>
      <span className="shape">
        <StatusMark status={outageMark(kind)} label={t(`problems.kind.${kind}`)} />
      </span>
      <h3 className="named">
        <Link href={path} className="truncate" title={target_name}>
          {target_name}
        </Link>
        <OwnerTag owner={problem.owner} />
        <MutedMark muted={problem.muted} />
        <UnstableMark flapping={all.some(({ flapping }) => flapping)} />
      </h3>
      {more.length > 0 ? (
        <Parts problems={all} onChanged={onChanged} />
      ) : (
        <Single problem={problem} onChanged={onChanged} />
      )}
      <div className="pulse">
        {target_type === "monitor" ? (
          <PulseBar history={history} count={40} />
        ) : (
          <span className="soft small">{t("problems.server")}</span>
        )}
      </div>
      <Actions problem={problem} path={path} isSingle={more.length === 0} onChanged={onChanged} />
    </article>
  );
}

/** How many problems a server has, and each in one line. */
function Parts({ problems, onChanged }: { problems: readonly Problem[] } & Pick<RowProps, "onChanged">) {
  const { t } = useTranslation();
  const reason = useReason();
  const refresh = useSetAtom(dashboardAtom);
  const parts = problems.map((problem) => ({
    ...problem,
    reason: reason(problem) || t(`problems.kind.${problem.kind}`),
  }));
  const changed = () => {
    onChanged?.();
    void refresh();
  };
  return (
    <div className="why">
      <p className="count">{t("problems.alerts", { count: parts.length })}</p>
      <ProblemParts parts={parts} onChanged={changed} />
    </div>
  );
}

/** Why something is not well, and since when. */
function Single({ problem, onChanged }: RowProps) {
  const { t } = useTranslation();
  const { target_id, target_name, since } = problem;
  return (
    <>
      <div className="why">
        <Reason problem={problem} />
        {problem.explaining ? (
          <ExplainedMark by={problem.explaining} />
        ) : (
          <ProbableCause cause={problem.cause} monitor={{ id: target_id, name: target_name }} onChanged={onChanged} />
        )}
        <AcknowledgedMark acknowledged={problem.acknowledged} />
      </div>
      <p className="since">
        <Link href={paths.outage(problem.id)} title={t("outages.linkOf", { name: target_name })}>
          <span className="begun">{t("problems.since", { time: useFormat().moment(since) })}</span>
          <span className="lasting">
            <span className="for">{t("problems.for")}</span> <Elapsed since={since} />
          </span>
        </Link>
      </p>
    </>
  );
}

function Reason({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const text = useReason()(problem);
  return (
    <p className="reason" title={text}>
      {text || t(`problems.kind.${problem.kind}`)}
    </p>
  );
}

/** In a menu on narrow screens, otherwise as one button with words and quiet ones with icons. */
function Actions({ problem, path, isSingle, onChanged }: RowProps & { path: string; isSingle: boolean }) {
  const { t } = useTranslation();
  const isNarrow = useMedia(NARROW);
  const { busy, check, stop, changed } = useActions(problem, onChanged);
  const { target_type: type, target_id: id, target_name: name, muted } = problem;
  const mute = { target: { type, id, name }, muted, onChanged: changed };
  const acknowledge = { outage: { id: problem.id, name }, acknowledged: problem.acknowledged, onChanged: changed };
  const acknowledging = useAcknowledge(acknowledge);
  const pausing = { label: t("problems.pause"), icon: "pause", onClick: stop } as const;
  const checking = { label: t("problems.check"), icon: "refresh", onClick: check } as const;
  const actions = isPassive(problem) ? [pausing] : [checking, pausing];

  if (isNarrow)
    return (
      <div className="problem-actions">
        <Menu label={t("problems.actions", { name })} button={<Icon name="more" />}>
          {type === "monitor" &&
            actions.map(({ label, icon, onClick }) => (
              <MenuItem key={label} icon={icon} onClick={onClick}>
                {label}
              </MenuItem>
            ))}
          {isSingle && (
            <MenuItem icon={problem.acknowledged ? "cross" : "check"} onClick={acknowledging.onClick}>
              {acknowledging.label}
            </MenuItem>
          )}
          <MuteChoices {...mute} />
        </Menu>
        {acknowledging.dialog}
      </div>
    );
  const buttons = actions.map(({ label, icon, onClick }) => (
    <button
      key={label}
      type="button"
      className="quiet compact icon-only"
      disabled={busy}
      onClick={onClick}
      title={label}
      aria-label={t("common.labelled", { label, value: name })}
    >
      <Icon name={icon} />
    </button>
  ));
  const view = t("common.action.view");
  return (
    <div className="problem-actions">
      {isSingle && <AcknowledgeButton {...acknowledge} />}
      {/* Without a check to begin, the others stay below those of the other rows. */}
      {type === "monitor" && buttons.slice(0, -1)}
      <MuteMenu {...mute} />
      {type === "monitor" ? (
        buttons.at(-1)
      ) : (
        <Link
          href={path}
          className="button quiet compact icon-only"
          title={view}
          aria-label={t("common.labelled", { label: view, value: name })}
        >
          <Icon name="eye" />
        </Link>
      )}
    </div>
  );
}

const useActions = ({ target_id, target_name }: Problem, onChanged?: () => void) => {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const checkError = useCheckError();
  const refresh = useSetAtom(dashboardAtom);
  const [busy, start] = useTransition();

  const changed = () => {
    onChanged?.();
    return refresh();
  };
  const run = (failed: string, action: () => Promise<void>) =>
    start(async () => {
      try {
        await action();
      } catch (error) {
        toast(failureText(failed, error), { tone: "bad" });
      }
      await changed();
    });

  const check = () =>
    run(t("monitors.detail.checkFailed"), async () => {
      const { check } = await checkNow(target_id);
      if (check.status === "up")
        toast(t("problems.checkedUp", { name: target_name, time: format.milliseconds(check.response_time) }));
      else toast(t("problems.checkedDown", { name: target_name, reason: checkError(check) }), { tone: "bad" });
    });
  const stop = () =>
    run(t("monitors.detail.changeFailed"), async () => {
      await pauseMonitor(target_id);
      toast(t("problems.paused", { name: target_name }));
    });
  return { busy, check, stop, changed: () => void changed() };
};
