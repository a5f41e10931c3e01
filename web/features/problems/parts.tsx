import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Elapsed } from "../../ui/feedback/elapsed";
import { useFormat } from "../../ui/hooks/use-format";
import { ExplainedMark } from "../notifications/dependencies/explained-mark";
import { AcknowledgeButton, AcknowledgedMark } from "./acknowledge";
import { hubUnknownAtom, type Problem } from "./api";

/** An open outage of a server, with what is wrong. */
export type Part = Pick<Problem, "id" | "target_name" | "since" | "acknowledged" | "explaining"> & { reason: string };

type LastingProps = {
  since: string;
  /** The last result of its target, where there is one. */
  last?: string | undefined;
  /** Whether it means that its target does not work. */
  isDown?: boolean;
};

/** For how long a problem lasts; while the hub knows nothing, when it was last seen. */
export function Lasting({ since, last, isDown = false }: LastingProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const unknown = useAtomValue(hubUnknownAtom);
  const seen = unknown && format.moment(last ?? unknown.since);
  return (
    <span className="lasting">
      {seen ? (
        t(isDown ? "problems.seenDown" : "problems.seen", { time: seen })
      ) : (
        <>
          <span className="for">{t("problems.for")}</span> <Elapsed since={since} />
        </>
      )}
    </span>
  );
}

type Props = { parts: readonly Part[]; onChanged: () => void };

/** The open outages of a server, with a line for each: start, page, and acknowledge button. */
export function ProblemParts({ parts, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className="problem-parts">
      {parts.map(({ id, target_name, since, acknowledged, explaining, reason }) => (
        <li key={id}>
          <div className="what">
            <Link href={paths.outage(id)} className="reason">
              {reason}
            </Link>
            <ExplainedMark by={explaining} />
            <AcknowledgedMark acknowledged={acknowledged} />
          </div>
          <span className="since">
            <span className="begun">{t("problems.since", { time: format.moment(since) })}</span>
            <Lasting since={since} />
          </span>
          <AcknowledgeButton
            outage={{ id, name: t("common.labelled", { label: target_name, value: reason }) }}
            acknowledged={acknowledged}
            onChanged={onChanged}
          />
        </li>
      ))}
    </ul>
  );
}
