import { useAtom, useSetAtom } from "jotai";
import { useDeferredValue, useEffect, useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { TargetType } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { Search } from "../../../ui/controls/search";
import { Segments } from "../../../ui/controls/segments";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { RuleDialog } from "../alerts-tab/rule-dialog";
import { useAlertText } from "../alerts-tab/sentence";
import { type Exception, type ExceptionFilter, exceptionsAtom, keyOfFilter, readExceptions, saveSetting } from "../api";
import { keyOf, type NamedTarget } from "../dependencies/api";
import { TargetPicker } from "../dependencies/target-picker";

/** From this number on, exceptions can be searched. */
const MANY = 6;
const kinds = ["all", "monitor", "agent"] as const;

type Props = {
  /** The kind of targets that the address asks for. */
  of: TargetType | undefined;
  onOf: (of: TargetType | undefined) => void;
};

/** The monitors and servers that do not follow the default, or are critical. */
export function Exceptions({ of, onOf }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [search, setSearch] = useState("");
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<{ target: NamedTarget; isNew: boolean }>();
  const filter = { of, search: useDeferredValue(search.trim()) };
  const [{ data, error }, refresh] = useAtom(exceptionsAtom(keyOfFilter(filter)));
  const refreshAll = useSetAtom(exceptionsAtom(keyOfFilter({ of: undefined, search: "" })));
  const isFiltered = filter.of !== undefined || filter.search !== "";
  const total = data?.total ?? 0;

  const reload = () => {
    void refresh();
    if (isFiltered) void refreshAll();
  };
  return (
    <section className="card rules-part" aria-labelledby={id} id="exceptions">
      <div className="section-head">
        <h2 id={id}>
          {t("alerts.exceptions.title")} {data && <span className="soft figure">{total}</span>}
        </h2>
        <button type="button" className="plain compact" onClick={() => setAdding(!adding)} aria-expanded={adding}>
          <Icon name="plus" />
          {t("alerts.exceptions.add")}
        </button>
      </div>
      {adding && (
        <TargetPicker
          label={t("alerts.exceptions.find")}
          mine
          without={[]}
          busy={false}
          errorId={undefined}
          onPick={(target) => {
            setAdding(false);
            setEditing({ target, isNew: true });
          }}
        />
      )}
      {(total >= MANY || isFiltered) && (
        <div className="toolbar">
          <Search label={t("alerts.exceptions.search")} value={search} onChange={setSearch} />
          <Segments
            label={t("notifications.specific.filter")}
            choices={kinds.map((value) => ({ value, label: t(`notifications.history.filter.${value}`) }))}
            chosen={of ?? "all"}
            onChoose={(kind) => onOf(kind === "all" ? undefined : kind)}
          />
        </div>
      )}
      {data ? (
        <List
          key={keyOfFilter(filter)}
          filter={filter}
          first={data}
          onEdit={(target) => setEditing({ target, isNew: false })}
          onChanged={reload}
        />
      ) : error ? (
        <Failure title={t("alerts.exceptions.failed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton heights={["2.5rem"]} />
      )}
      {editing && (
        <RuleDialog
          target={editing.target}
          isNew={editing.isNew}
          onSaved={reload}
          onClose={() => setEditing(undefined)}
        />
      )}
    </section>
  );
}

type ListProps = {
  filter: ExceptionFilter;
  first: { exceptions: Exception[]; total: number };
  onEdit: (target: NamedTarget) => void;
  onChanged: () => void;
};

/** A page of exceptions, and on request those after it. */
function List({ filter, first, onEdit, onChanged }: ListProps) {
  const { t } = useTranslation();
  const [more, setMore] = useState<Exception[]>([]);
  const [busy, start] = useTransition();
  const isFiltered = filter.of !== undefined || filter.search !== "";
  // A change may move exceptions from one page to another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages after the first are dropped when it changes
  useEffect(() => setMore([]), [first.total]);
  const known = new Set(first.exceptions.map(keyOf));
  const shown = [...first.exceptions, ...more.filter((one) => !known.has(keyOf(one)))];

  const load = () =>
    start(async () => {
      try {
        const page = await readExceptions(filter, first.exceptions.length + more.length);
        setMore((before) => [...before, ...page.exceptions]);
      } catch {
        toast(t("alerts.exceptions.failed"), { tone: "bad" });
      }
    });

  if (shown.length === 0)
    return <p className="soft small">{t(isFiltered ? "alerts.exceptions.noMatch" : "alerts.exceptions.none")}</p>;
  return (
    <>
      <ul className="rule-rows">
        {shown.map((exception) => (
          <Row key={keyOf(exception)} exception={exception} onEdit={onEdit} onChanged={onChanged} />
        ))}
      </ul>
      {shown.length < first.total && (
        <p className="below-list">
          <button type="button" className="plain compact" disabled={busy} onClick={load}>
            {t("alerts.exceptions.more", { count: first.total - shown.length })}
          </button>
        </p>
      )}
    </>
  );
}

type RowProps = { exception: Exception } & Pick<ListProps, "onEdit" | "onChanged">;

function Row({ exception, onEdit, onChanged }: RowProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const alertText = useAlertText();
  const [busy, start] = useTransition();
  const { type, id, name, alerts } = exception;
  // That there is no channel is said once, above all rules.
  const own = alerts.silent_reason === "no_channels" ? t("alerts.note.own") : alertText(alerts);
  const text = alerts.follows_default ? t("alerts.note.default") : own;

  const follow = () =>
    start(async () => {
      try {
        await saveSetting({ target_type: type, target_id: id, override_global: false, critical: false });
        toast(t("alerts.exceptions.removed", { name }));
      } catch (error) {
        toast(failureText(t("alerts.rule.saveFailed"), error), { tone: "bad" });
      }
      onChanged();
    });
  return (
    <li className="rule-row">
      <Icon name={type === "agent" ? "server" : "pulse"} />
      <Link
        href={`${type === "monitor" ? paths.monitor(id) : paths.agent(id)}?tab=alerts`}
        className="rule-name truncate"
      >
        {name}
      </Link>
      <span className="rule-text soft small">
        {text}
        {alerts.critical && <span className="tag">{t("alerts.exceptions.critical")}</span>}
      </span>
      <span className="rule-actions">
        <IconButton icon="edit" label={t("common.action.edit")} of={name} onClick={() => onEdit(exception)} />
        <IconButton icon="cross" label={t("alerts.rule.follow")} of={name} disabled={busy} onClick={follow} />
      </span>
    </li>
  );
}
