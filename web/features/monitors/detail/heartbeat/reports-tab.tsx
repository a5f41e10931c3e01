import { useAtom } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "../../../../../src/shared/limits";
import { useRefreshOn } from "../../../../lib/resource";
import { StatusMark } from "../../../../ui/feedback/badge";
import { Failure } from "../../../../ui/feedback/failure";
import { Skeleton } from "../../../../ui/feedback/skeleton";
import { useFormat } from "../../../../ui/hooks/use-format";
import { OpeningCell } from "../../../../ui/layout/opening-cell";
import type { MonitorDetail } from "../../api";
import { HistoryTab } from "../history-tab";
import { MARKS, type Ping, pingsAtom } from "./pings";

/** The failures that no ping reports. */
const UNREPORTED: readonly (string | null)[] = ["heartbeat_missed", "heartbeat_running"];

/** The history of a job: its pings as long as they are kept, missing ones, and its results before. */
export default function ReportsTab({ monitor: { id, last_checked, heartbeat } }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(pingsAtom(String(id)));
  useRefreshOn(heartbeat?.last_ping, refresh);
  if (!data)
    return error ? (
      <Failure title={t("kinds.heartbeat.pingsFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["24rem"]} />
    );
  const oldest = data.pings.at(-1)?.at ?? "";
  return (
    <div className="stack">
      <HistoryTab
        id={id}
        lastChecked={last_checked}
        reports={{
          rows: data.pings.map((ping) => ({
            at: Date.parse(ping.at),
            isDown: ping.kind === "fail",
            row: <PingRows key={`ping ${ping.id}`} ping={ping} />,
          })),
          has: (run) => oldest !== "" && run.started_at >= oldest && !UNREPORTED.includes(run.error_code),
        }}
      />
      {data.pings.length > 0 && <p className="soft small">{t("kinds.heartbeat.kept")}</p>}
    </div>
  );
}

/** A ping in one row, and below it what its job printed, once it is opened. */
function PingRows({ ping }: { ping: Ping }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const rows = useId();
  const { at, kind, duration, exit_status: status, address, user_agent, body } = ping;
  const length =
    duration === null || duration < SECOND ? format.milliseconds(duration) : format.duration(duration / SECOND);
  const toggle = () => setOpen(!open);
  return (
    <tbody className={open ? "open" : undefined} id={rows}>
      <tr className={[MARKS[kind], ...(body ? ["opens"] : [])].join(" ")} onClick={body ? toggle : undefined}>
        <OpeningCell
          opens={Boolean(body)}
          open={open}
          rows={rows}
          title={t("kinds.heartbeat.output")}
          onToggle={toggle}
        >
          <time dateTime={at}>{format.dateTime(at)}</time>
        </OpeningCell>
        <td className="run-length" />
        <td className="state">
          <StatusMark status={MARKS[kind]} label="" />
          <span>{t(`kinds.heartbeat.ping.${kind}`)}</span>
        </td>
        <td className="number time">{length}</td>
        <td className="number code">{status ?? "–"}</td>
        <td className="why">
          {status !== null && (
            <span className="lasted" aria-hidden="true">
              {t("kinds.heartbeat.exit", { status })} ·{" "}
            </span>
          )}
          <span className="soft">{[address, user_agent].filter(Boolean).join(" · ") || "–"}</span>
        </td>
      </tr>
      {open && body && (
        <tr className="note">
          <td colSpan={6}>
            <pre className="body">{body}</pre>
          </td>
        </tr>
      )}
    </tbody>
  );
}
