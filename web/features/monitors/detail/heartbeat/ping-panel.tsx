import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Copyable } from "../../../../ui/controls/copy-button";
import { Segments } from "../../../../ui/controls/segments";
import { useFormat } from "../../../../ui/hooks/use-format";
import type { MonitorDetail } from "../../api";
import { cronWithin, SNIPPETS, type SnippetName, snippetsOf } from "./snippets";

type Props = { monitor: MonitorDetail };

/** The next ping that is expected of the job, in one sentence. */
function Expectation({ of }: { of: NonNullable<MonitorDetail["heartbeat"]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const moment = (time: string | null) => (time ? format.moment(time) : "");
  const { state, expected_at, deadline, running_since, muted_until } = of;
  const time = moment(state === "running" ? running_since : expected_at);
  const ago = expected_at ? format.ago(expected_at) : "";
  // The figure of the page says when the next report is due.
  if (state === "waiting" && !muted_until) return null;
  return (
    <p className="soft">
      {t(`kinds.heartbeat.state.${state}`, { time, ago, deadline: moment(deadline) })}
      {muted_until && ` · ${t("kinds.heartbeat.state.muted", { time: moment(muted_until) })}`}
    </p>
  );
}

/** The address with the host that the page was loaded from, while the hub does not know its own. */
const completed = (address: string): string => new URL(address, location.origin).href;

/** Where and how a job reports. */
export default function PingPanel({ monitor }: Props) {
  const { t } = useTranslation();
  const { heartbeat, ping_url, slug_url } = monitor;
  return (
    <section className="card stack ping-panel">
      <div className="section-head">
        <h2>{t("kinds.heartbeat.address")}</h2>
      </div>
      {heartbeat && <Expectation of={heartbeat} />}
      {ping_url ? (
        <>
          <Copyable what={t("kinds.heartbeat.address")} text={completed(ping_url)} />
          <p className="soft small">{t("kinds.heartbeat.addressHint")}</p>
          {slug_url && (
            <div className="field">
              <span className="choice-label">{t("kinds.heartbeat.slugAddress")}</span>
              <Copyable what={t("kinds.heartbeat.slugAddress")} text={completed(slug_url)} />
            </div>
          )}
          {/* Once it reports, its owner knows how. */}
          <details className="fold" open={heartbeat?.state === "new"}>
            <summary>{t("kinds.heartbeat.how")}</summary>
            <Snippets monitor={monitor} address={completed(ping_url)} />
          </details>
        </>
      ) : (
        <p className="soft">{t("kinds.heartbeat.hidden")}</p>
      )}
    </section>
  );
}

function Snippets({ monitor: { config }, address }: Props & { address: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<SnippetName>(SNIPPETS[0]);
  const { every, cron, post_only: isPost } = config as { every?: number; cron?: string; post_only: boolean };
  const times = cron ?? cronWithin(every ?? 0);
  const label = t(`kinds.heartbeat.snippet.${shown}`);
  return (
    <div className="stack">
      <Segments
        label={t("kinds.heartbeat.how")}
        choices={SNIPPETS.map((value) => ({ value, label: t(`kinds.heartbeat.snippet.${value}`) }))}
        chosen={shown}
        onChoose={setShown}
      />
      <Copyable what={label} text={snippetsOf(address, times, isPost)[shown]} />
      <p className="soft small">{t(`kinds.heartbeat.note.${shown}`)}</p>
    </div>
  );
}
