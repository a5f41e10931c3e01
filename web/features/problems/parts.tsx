import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Elapsed } from "../../ui/feedback/elapsed";
import { useFormat } from "../../ui/hooks/use-format";
import { ExplainedMark } from "../notifications/dependencies/explained-mark";
import { AcknowledgeButton, AcknowledgedMark } from "./acknowledge";
import type { Problem } from "./api";

/** An open outage of a server, with what is wrong. */
export type Part = Pick<Problem, "id" | "target_name" | "since" | "acknowledged" | "explaining"> & { reason: string };

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
            <span className="lasting">
              <span className="for">{t("problems.for")}</span> <Elapsed since={since} />
            </span>
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
