import { useAtom, useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { insertValues, isComplete } from "../../../src/shared/outages/words";
import { isMissing } from "../../api";
import { paths } from "../../paths";
import { Badge, OwnerTag } from "../../ui/feedback/badge";
import { Elapsed } from "../../ui/feedback/elapsed";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { UnknownLine } from "../../ui/feedback/unknown-line";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import { useOutageWords } from "../../ui/hooks/use-outage-words";
import { type Unknown, useUnknownWords } from "../../ui/hooks/use-unknown-words";
import { BackLink } from "../../ui/layout/back-link";
import { usePageTitle } from "../../ui/layout/page-title";
import { AcknowledgeButton, UnstableMark } from "../problems/acknowledge";
import { hubUnknownAtom } from "../problems/api";
import { outageTone } from "../problems/outage-mark";
import { useReason } from "../problems/use-reason";
import { useCanChange } from "../teams/use-can-change";
import { type Outage, type OutageAnswer, outageAtom } from "./api";
import { Alongside, ChartAround } from "./around";
import { Note } from "./note";
import { isRange, Start, useLasted } from "./start";
import { Timeline } from "./timeline";

/** Loads what the page begins with. */
export const prepare = (id: string): Promise<void> => outageAtom(id).prepare();

/** An outage: its target, start, duration and reason, and below it the timeline. */
export default function OutagePage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(outageAtom(id));
  const detail = isMissing(error) ? undefined : data;
  const hub = useAtomValue(hubUnknownAtom);
  const unknownWords = useUnknownWords();
  usePageTitle(useTitle(detail?.outage, Boolean(hub)));
  const retry = () => void refresh();

  if (!detail) {
    if (isMissing(error)) return <Missing />;
    return error ? (
      <Failure title={t("outages.failed")} error={error} onRetry={retry} />
    ) : (
      <Skeleton heights={["3.5rem", "5rem", "5rem", "5rem"]} />
    );
  }
  const { outage } = detail;
  const unknown = (outage.ended_at === null && hub) || null;
  const path = outage.target_type === "monitor" ? paths.monitor(outage.target_id) : paths.agent(outage.target_id);
  return (
    <div className="outage dense">
      <BackLink to={path}>{outage.target_name}</BackLink>
      <Stale error={error} onRetry={retry} />
      {unknown && <UnknownLine text={unknownWords.because(unknown)} last={t("outages.open")} />}
      <Head answer={detail} unknown={unknown} onChanged={retry} />
      <div className="outage-body">
        <div className="stack">
          {outage.target_type === "monitor" && <ChartAround outage={outage} />}
          <Timeline answer={detail} unknown={unknown} onChanged={retry} />
        </div>
        <aside className="stack">
          <Note outage={outage} onChanged={retry} />
          <Alongside outage={outage} />
        </aside>
      </div>
    </div>
  );
}

/** "Shop is down" while an outage lasts, and "Shop: Down" where a sentence is not true any more, or lacks a figure. */
const useTitle = (outage: Outage | undefined, isUnknown: boolean): string => {
  const { t } = useTranslation();
  const words = useOutageWords();
  if (!outage) return "";
  const values = { name: outage.target_name, subject: outage.subject ?? undefined };
  const [sentence] = words[outage.kind].title;
  if (outage.ended_at === null && !isUnknown && isComplete(sentence, values)) return insertValues(sentence, values);
  return t("common.labelled", { label: outage.target_name, value: t(`outages.kinds.${outage.kind}.label`) });
};

/** An outage that is not kept any more, or never was. */
function Missing() {
  const { t } = useTranslation();
  usePageTitle(t("outages.title"));
  return (
    <Empty heading="h1" icon="search" title={t("outages.missing")} text={t("outages.missingText")}>
      <Link href={paths.dashboard} className="button plain">
        {t("outages.toDashboard")}
      </Link>
    </Empty>
  );
}

/** `unknown`: the unknown state of the hub while the outage is open. */
type HeadProps = { answer: OutageAnswer; unknown: Unknown | null; onChanged: () => void };

function Head({ answer: { outage, timeline }, unknown, onChanged }: HeadProps) {
  const { t } = useTranslation();
  const reason = useReason();
  const checkError = useCheckError();
  const canChange = useCanChange();
  const { kind, subject, facts, ended_at, flapping, maintenance } = outage;
  const began = timeline.find((entry) => entry.kind === "began");
  const why = began && reason({ ...began, kind, subject, facts, last_report: null });
  const isOpen = ended_at === null;
  const last = timeline.findLast((entry) => entry.kind === "checks");
  const present = isOpen && last ? checkError(last) : (why ?? "");
  return (
    <header className="page-head outage-head">
      <div>
        <div className="detail-title">
          <h1>{useTitle(outage, unknown !== null)}</h1>
          <span className="detail-marks">
            {maintenance ? (
              <Badge tone="maintenance">{t("common.status.maintenance")}</Badge>
            ) : unknown ? (
              <Badge tone="unknown">{t("common.status.unknown")}</Badge>
            ) : (
              <Badge tone={isOpen ? outageTone(kind) : "up"}>{t(isOpen ? "outages.open" : "outages.ended")}</Badge>
            )}
            <OwnerTag of={outage} />
            <UnstableMark flapping={flapping} />
          </span>
        </div>
        {why && (
          <p className="outage-reason">
            {present === why ? why : t("outages.presentReason", { began: why, now: present })}
          </p>
        )}
        <p className="soft">
          <Span outage={outage} isUnknown={unknown !== null} />
        </p>
      </div>
      {(isOpen || canChange) && (
        <div className="outage-actions">
          {isOpen && (
            <AcknowledgeButton
              outage={{ id: outage.id, name: outage.target_name }}
              acknowledged={outage.acknowledged}
              isMain="large"
              onChanged={onChanged}
            />
          )}
          {canChange && (
            <Link href={`${paths.incidents}?outage=${outage.id}`} className="button plain">
              {t("outages.publish")}
            </Link>
          )}
        </div>
      )}
    </header>
  );
}

/** Start and duration. */
function Span({ outage, isUnknown }: { outage: Outage; isUnknown: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lastedOf = useLasted();
  const { started_at, ended_at } = outage;
  if (ended_at === null)
    return (
      <span>
        <Start outage={outage} words />
        {!isUnknown && (
          <>
            {"\u00a0· "}
            {t("problems.for")} <Elapsed since={started_at} />
          </>
        )}
      </span>
    );
  const end = <time dateTime={ended_at}>{format.dateTime(ended_at)}</time>;
  return (
    <span>
      {isRange(outage) ? (
        <>
          <Start outage={outage} words /> · {t("outages.endedAt")} {end}
        </>
      ) : (
        <>
          <Start outage={outage} /> – {end}
        </>
      )}{" "}
      · {t("outages.lasted", { time: lastedOf({ ...outage, ended_at }) })}
    </span>
  );
}
