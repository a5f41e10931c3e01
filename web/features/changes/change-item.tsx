import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import type { Change } from "./api";
import { useChangeWords } from "./use-change-words";

type Props = {
  change: Change;
  /** Whether the object is named: not in the list of its own changes. */
  named?: boolean;
};

/** The action and its object. */
export function ChangeTitle({ change, named = true }: Props) {
  const { t } = useTranslation();
  const words = useChangeWords();
  const { object, action, objects } = change;
  const name = words.name(change);
  const path =
    action === "deleted" || object.id === null
      ? undefined
      : { monitor: paths.monitor, agent: paths.agent }[object.type as "monitor" | "agent"]?.(object.id);
  const [before, after] = words.titled(change);
  return (
    <>
      <b>{named ? words.verb(change) : words.action(change)}</b>
      {named && (
        <>
          {" "}
          {before}
          {path ? <Link href={path}>{name}</Link> : name}
          {after}
        </>
      )}
      {named && objects > 1 && <span className="soft"> {t("changes.others", { count: objects - 1 })}</span>}
    </>
  );
}

/** The changed fields, with their values where these are shown. */
export function ChangedFields({ change }: { change: Change }) {
  const { t } = useTranslation();
  const words = useChangeWords();
  const [shown, hidden] = [words.shown(change), words.hidden(change)];
  if (shown.length === 0 && hidden === "") return null;
  return (
    <ul className="change-fields">
      {shown.map(({ name, text }) => (
        <li key={name}>{text}</li>
      ))}
      {hidden && <li className="soft">{t("changes.hidden", { names: hidden })}</li>}
    </ul>
  );
}

/** The user, the API key and the address of a change. */
export function ChangedBy({ change }: { change: Change }) {
  const { t } = useTranslation();
  const { key, address } = change;
  const by = [useChangeWords().user(change), key !== null && t("changes.key", { name: key }), address];
  return <span className="soft">{by.filter(Boolean).join(" · ")}</span>;
}
