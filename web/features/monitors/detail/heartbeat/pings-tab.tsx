import { useAtom } from "jotai";
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

const listPings = (id: string) => payload(api.monitors({ id }).pings.get({ query: {} }));
type Ping = Awaited<ReturnType<typeof listPings>>["pings"][number];

const pingsAtom = resourceFamily(listPings);

/** What a job reported, newest first: all that is kept fits on one page. */
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
      <section className="card runs pings" aria-label={t("kinds.heartbeat.pings")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("kinds.heartbeat.column.time")}</th>
              <th scope="col">{t("kinds.heartbeat.column.kind")}</th>
              <th scope="col" className="number">
                {t("kinds.heartbeat.column.duration")}
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

/** A ping in one row, and below it what it brought. */
function PingRows({ ping }: { ping: Ping }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, kind, duration, exit_status: status, address, user_agent, body } = ping;
  const lengthOf = (ms: number | null) =>
    ms === null || ms < SECOND ? format.milliseconds(ms) : format.duration(ms / SECOND);
  const hasStatus = status !== null && status !== 0;
  return (
    <tbody>
      <tr>
        <td className="when">
          <time dateTime={at}>{format.dateTime(at)}</time>
        </td>
        <td className="state">
          <StatusMark status={MARKS[kind]} label="" />
          <span>
            {t(`kinds.heartbeat.ping.${kind}`)}
            {hasStatus && <small> {t("kinds.heartbeat.exit", { status })}</small>}
          </span>
        </td>
        <td className="number time">{lengthOf(duration)}</td>
        <td className="why">
          <span className="soft truncate" title={user_agent ?? undefined}>
            {[address, user_agent].filter(Boolean).join(" · ") || "–"}
          </span>
        </td>
      </tr>
      {body && (
        <tr className="note">
          <td colSpan={4}>
            <details>
              <summary>{t("kinds.heartbeat.column.body")}</summary>
              <pre className="body">{body}</pre>
            </details>
          </td>
        </tr>
      )}
    </tbody>
  );
}
