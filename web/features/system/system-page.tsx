import { useAtom } from "jotai";
import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../../src/shared/language";
import { deliveryErrorText } from "../../../src/shared/notifications";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { Ago } from "../../ui/feedback/ago";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { toast } from "../../ui/feedback/toast";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { FactPanel, FactPanels, type FactRows } from "../../ui/layout/fact-panel";
import { type System, sendTestMail, systemAtom } from "./api";
import { AttentionList } from "./attention";

/** What figures are about, beside their title. */
const Note = ({ text }: { text: string }) => <span className="soft small">{text}</span>;

/** The server for mails of Wakeful itself, with a button that tries it. */
function MailServer({ server, waiting }: Pick<System["mail"], "server" | "waiting">) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isBusy, start] = useTransition();
  if (server === null) return t("system.mailServer.none");
  const test = () =>
    start(async () => {
      try {
        toast(t("system.mailServer.sent", { reply: await sendTestMail() }));
      } catch (error) {
        const failed = t("system.mailServer.failed");
        toast(`${failed}: ${errorText(error, failed)}`, { tone: "bad" });
      }
    });
  return (
    <>
      {server}
      {waiting > 0 && ` · ${t("system.mailServer.waiting", { count: waiting })}`}
      <button type="button" className="plain compact mail-test" disabled={isBusy} aria-busy={isBusy} onClick={test}>
        {t("system.mailServer.test")}
      </button>
    </>
  );
}

function Installation({ system }: { system: System }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { version, status, started_at, instance, instances, mail } = system;
  const others = instances.map(({ id, blind_since }) =>
    blind_since ? t("system.blind", { id, time: format.moment(blind_since) }) : id,
  );
  const error =
    mail.error_code &&
    deliveryErrorText({ code: mail.error_code, detail: mail.error_detail }, i18n.language as Language);
  const mailText = mail.channels > 0 ? t("system.mail", { count: mail.channels }) : t("system.noMail");
  const rows: FactRows = [
    [t("system.fact.version"), version],
    [t("system.fact.health"), t(status === "ok" ? "system.healthy" : "system.unhealthy")],
    [t("system.fact.started"), <Ago key="started" time={started_at} />],
    [t("system.fact.instances"), others.length > 0 ? format.list(others) : instance],
    [t("system.fact.mailServer"), <MailServer key="server" {...mail} />],
    [t("system.fact.mail"), [mailText, error && t("system.mailError", { error })].filter(Boolean).join(" · ")],
  ];
  return <FactPanel title={t("system.section.installation")} rows={rows} />;
}

function Database({ database, last_backup, next_backup }: Pick<System, "database" | "last_backup" | "next_backup">) {
  const { engine, size, growth, disk } = database;
  const { t } = useTranslation();
  const format = useFormat();
  const grown = growth === null ? t("system.afterDay") : growth > 0 ? format.size(growth) : t("system.notGrowing");
  const rows: FactRows = [
    [t("system.fact.engine"), engine === "sqlite" ? "SQLite" : "PostgreSQL"],
    [t("system.fact.size"), format.size(size)],
    [t("system.fact.growth"), grown],
    ...(disk
      ? [
          [
            t("system.fact.free"),
            t("common.of", { used: format.size(disk.free), total: format.size(disk.total) }),
          ] as const,
        ]
      : []),
    [t("system.fact.backup"), last_backup ? <Ago key="backup" time={last_backup} /> : t("system.noBackup")],
    ...(next_backup ? [[t("system.fact.nextBackup"), format.moment(next_backup)] as const] : []),
  ];
  return <FactPanel title={t("system.section.database")} rows={rows} />;
}

function Work({ work, watched, attention }: Pick<System, "work" | "watched" | "attention">) {
  const { t } = useTranslation();
  const format = useFormat();
  const rate = (figure: number | undefined) =>
    figure === undefined ? t("system.afterMinute") : format.number(figure, figure < 10 ? 2 : 0);
  const lateness = work?.lateness ?? null;
  const judged = attention.some(({ code }) => code === "checks_late") ? "system.late" : "system.onTime";
  const late =
    lateness === null
      ? t(work ? "system.noChecks" : "system.afterMinute")
      : t(judged, { delay: lateness < 1 ? format.milliseconds(lateness * 1000) : format.elapsed(lateness) });
  const rows: FactRows = [
    [t("system.fact.checks"), rate(work?.checks)],
    [t("system.fact.reports"), rate(work?.reports)],
    [t("system.fact.lateness"), late],
    [t("system.fact.day"), format.percent(watched["24h"])],
    [t("system.fact.month"), format.percent(watched["30d"])],
  ];
  return <FactPanel title={t("system.section.work")} action={<Note text={t("system.workHint")} />} rows={rows} />;
}

function QuotaUse({ quotas }: Pick<System, "quotas">) {
  const { t } = useTranslation();
  const rows = quotas.map(({ name, limit, most, username, full }) => {
    const used = username === null ? t("system.unused", { limit }) : t("system.most", { most, limit, user: username });
    return [
      t(`profile.quotas.name.${name}`),
      full > 0 && username !== null ? `${used} · ${t("system.full", { count: full })}` : used,
    ] as const;
  });
  return <FactPanel title={t("system.section.quotas")} action={<Note text={t("system.quotasHint")} />} rows={rows} />;
}

function Settings({ settings }: Pick<System, "settings">) {
  const { t } = useTranslation();
  return (
    <details className="card system-settings">
      <summary>{t("system.section.settings")}</summary>
      <p className="soft small">{t("system.settingsHint")}</p>
      <FactPanels>
        <dl>
          {settings.map(({ name, value, set }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <div>{set ? (value ?? t("system.set")) : t("system.notSet")}</div>
              </dd>
            </div>
          ))}
        </dl>
      </FactPanels>
    </details>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => systemAtom.prepare();

/** The state of the hub itself, for administrators. */
export default function SystemPage() {
  const { t } = useTranslation();
  const [{ data, error, loading }, refresh] = useAtom(systemAtom);
  const retry = () => void refresh();
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t("system.title")}</h1>
          <p className="soft">{t("system.text")}</p>
        </div>
        <div className="actions">
          <RefreshButton loading={loading} onRefresh={retry} />
        </div>
      </div>
      {data ? (
        <>
          <Stale error={error} onRetry={retry} />
          <div className="stack system">
            <AttentionList system={data} />
            <FactPanels>
              <Installation system={data} />
              <Database {...data} />
              <Work work={data.work} watched={data.watched} attention={data.attention} />
              <QuotaUse quotas={data.quotas} />
            </FactPanels>
            <Settings settings={data.settings} />
          </div>
        </>
      ) : error ? (
        <Failure title={t("system.loadFailed")} error={error} onRetry={retry} />
      ) : (
        <Skeleton heights={["3rem", "9rem", "7rem", "9rem"]} />
      )}
    </>
  );
}
