import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CHANGED_OBJECTS } from "../../../src/shared/audit/changes";
import { changes as enUS } from "../../locales/en-US/accounts/changes";
import { changes as zhCN } from "../../locales/zh-CN/accounts/changes";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useFormat } from "../../ui/hooks/use-format";
import { type Change, readChanges } from "./api";
import { ChangedBy, ChangedFields, ChangeTitle } from "./change-item";

/** The texts in each language: changes are seldom opened, so other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };

type Props = {
  /** The only object or kinds of objects, as in the API; all that the viewer sees if it is left out. */
  object?: string;
};

/** Changes that are loaded at once: fewer where they are beside something else. */
const PAGE = { all: 50, some: 10 };

type Shown = { changes: readonly Change[]; next: number | null };

/** The changes of an object, or of all with a filter by kind; the latest first. */
export default function Changes({ object }: Props) {
  const { t } = useTranslation();
  const [kind, setKind] = useState("");
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const latest = useRef(0);
  const wanted = object ?? kind;

  const load = useCallback(
    async (after?: Shown) => {
      const request = ++latest.current;
      setBusy(true);
      try {
        const before = after?.next ?? undefined;
        const limit = object === undefined ? PAGE.all : PAGE.some;
        const page = await readChanges({ ...(wanted && { object: wanted }), ...(before && { before }), limit });
        if (request !== latest.current) return;
        setShown({ changes: [...(after?.changes ?? []), ...page.changes], next: page.next });
        setError(undefined);
      } catch (failed) {
        if (request === latest.current) setError(failed);
      }
      if (request === latest.current) setBusy(false);
    },
    [object, wanted],
  );
  useEffect(() => void load(), [load]);

  return (
    <div className="changes">
      {object === undefined && (
        <select aria-label={t("changes.filter")} value={kind} onChange={(event) => setKind(event.target.value)}>
          <option value="">{t("changes.all")}</option>
          {CHANGED_OBJECTS.map((type) => (
            <option key={type} value={type}>
              {t(`changes.object.${type}`)}
            </option>
          ))}
        </select>
      )}
      {error !== undefined && <Failure title={t("changes.failed")} error={error} onRetry={() => void load()} />}
      {shown ? (
        <List changes={shown.changes} named={!object?.includes(":")} />
      ) : (
        error === undefined && <Skeleton heights={["8rem"]} />
      )}
      {shown && shown.next !== null && (
        <button type="button" className="plain" disabled={busy} onClick={() => void load(shown)}>
          {t("changes.more")}
        </button>
      )}
    </div>
  );
}

function List({ changes, named }: { changes: readonly Change[]; named: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (changes.length === 0) return <p className="soft">{t("changes.none")}</p>;
  return (
    <ol className="change-list">
      {changes.map((change) => (
        <li key={change.id}>
          <time dateTime={change.at} className="soft small">
            {format.dateTime(change.at)}
          </time>
          <div>
            <p>
              <ChangeTitle change={change} named={named} />
            </p>
            <ChangedFields change={change} />
          </div>
          <p className="small">
            <ChangedBy change={change} />
          </p>
        </li>
      ))}
    </ol>
  );
}

/** A change in the hour before an outage, as an entry of its timeline. */
export function ChangeBefore({ change }: { change: Change }) {
  const { t } = useTranslation();
  return (
    <>
      <h3>
        <ChangeTitle change={change} />
      </h3>
      <ChangedFields change={change} />
      <p className="soft">
        <ChangedBy change={change} /> · {t("changes.before")}
      </p>
    </>
  );
}
