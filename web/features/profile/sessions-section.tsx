import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceOf } from "../../../src/shared/device/device";
import { Icon } from "../../ui/controls/icon";
import { Ago } from "../../ui/feedback/ago";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { endOtherSessions, endSession, type Session, sessionsAtom } from "./api";

/** The user's sessions, with buttons to end each of the others or all of them. */
export function SessionsSection() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [{ data, error }, refresh] = useAtom(sessionsAtom);
  const [failed, setFailed] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const end = async (call: () => Promise<unknown>) => {
    setBusy(true);
    setFailed(undefined);
    try {
      await call();
      toast(t("profile.sessions.ended"));
    } catch (reason) {
      setFailed(reason);
    }
    setBusy(false);
    void refresh();
  };

  const problem = failed ?? (data ? undefined : error);
  return (
    <section className="card">
      <h2>{t("profile.sessions.title")}</h2>
      <p className="soft">{t("profile.sessions.text")}</p>
      {problem !== undefined && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {t(failed === undefined ? "profile.sessions.loadFailed" : "profile.sessions.endFailed")}: {errorText(problem)}
        </p>
      )}
      {data ? (
        <ul className="key-list">
          {data.sessions.map((session) => (
            <SessionItem
              key={session.id}
              session={session}
              busy={busy}
              onEnd={() => void end(() => endSession(session.id))}
            />
          ))}
        </ul>
      ) : (
        error === undefined && <Skeleton heights={["3rem"]} />
      )}
      {data && data.sessions.length > 1 && (
        <div className="actions">
          <button type="button" className="plain" disabled={busy} onClick={() => void end(endOtherSessions)}>
            {t("profile.sessions.endOthers")}
          </button>
        </div>
      )}
    </section>
  );
}

type ItemProps = { session: Session; busy: boolean; onEnd: () => void };

function SessionItem({ session: { user_agent, address, last_seen_at, current }, busy, onEnd }: ItemProps) {
  const { t } = useTranslation();
  const device = deviceOf(user_agent) || t("profile.sessions.unknown");
  return (
    <li>
      <div>
        <strong className="truncate" title={user_agent}>
          {device}
        </strong>
        <span className="soft small">
          {address}
          {" · "}
          {t("profile.sessions.seen")} <Ago time={last_seen_at} />
        </span>
      </div>
      {current ? (
        <span className="tag">{t("profile.sessions.current")}</span>
      ) : (
        <button
          type="button"
          className="quiet compact"
          disabled={busy}
          aria-label={t("profile.sessions.endOf", { device })}
          onClick={onEnd}
        >
          {t("profile.sessions.end")}
        </button>
      )}
    </li>
  );
}
