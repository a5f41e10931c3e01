import { useAtom } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "../../../../../src/shared/limits";
import { api, payload } from "../../../../api";
import { resourceFamily, useRefreshOn } from "../../../../lib/resource";
import { StatusMark } from "../../../../ui/feedback/badge";
import { Empty } from "../../../../ui/feedback/empty";
import { Failure } from "../../../../ui/feedback/failure";
import { Skeleton } from "../../../../ui/feedback/skeleton";
import { useFormat } from "../../../../ui/hooks/use-format";
import type { MonitorDetail } from "../../api";
import { OpeningCell } from "../run-rows";

const listPings = (id: string) => payload(api.monitors({ id }).pings.get({ query: {} }));
type Ping = Awaited<ReturnType<typeof listPings>>["pings"][number];

const pingsAtom = resourceFamily(listPings);

/** Pings of a job, newest first; all stored pings fit on one page. */
export default function PingsTab({ monitor: { id, heartbeat } }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(pingsAtom(String(id)));
  useRefreshOn(heartbeat?.last_ping, refresh);
  if (!data)
    return error ? (
      <Failure title={t("kinds.heartbeat.pingsFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["24rem"]} />
    );
  if (data.pings.length === 0)
    return <Empty icon="pending" title={t("kinds.heartbeat.noPings")} text={t("kinds.heartbeat.noPingsText")} />;
  return (
    <div className="stack">
      <section className="card runs" aria-label={t("kinds.heartbeat.pings")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("kinds.heartbeat.column.time")}</th>
              <th scope="col">{t("kinds.heartbeat.column.kind")}</th>
              <th scope="col" className="number">
                {t("kinds.heartbeat.column.duration")}
              </th>
              <th scope="col" className="number code">
                {t("kinds.heartbeat.column.exit")}
              </th>
              <th scope="col">{t("kinds.heartbeat.column.from")}</th>
            </tr>
          </thead>
          {data.pings.map((ping) => (
            <PingRows key={ping.id} ping={ping} />
          ))}
        </table>
      </section>
      <p className="soft small">{t("kinds.heartbeat.kept")}</p>
    </div>
  );
}

const MARKS = { success: "up", fail: "down", start: "pending", log: "paused" } as const;

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
      <tr className={body ? "opens" : undefined} onClick={body ? toggle : undefined}>
        <OpeningCell
          opens={Boolean(body)}
          open={open}
          rows={rows}
          title={t("kinds.heartbeat.output")}
          onToggle={toggle}
        >
          <time dateTime={at}>{format.dateTime(at)}</time>
        </OpeningCell>
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
          <td colSpan={5}>
            <pre className="body">{body}</pre>
          </td>
        </tr>
      )}
    </tbody>
  );
}
