import { useAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { HISTORY_DAYS, STATUS_DAYS, STATUS_LIMITS, STATUS_THEMES } from "../../../../src/shared/status-page";
import { timeZones } from "../../../lib/format";
import { base } from "../../../lib/navigation/base-path";
import { paths } from "../../../paths";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useUnsaved } from "../../../ui/feedback/unsaved";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { BackLink } from "../../../ui/layout/back-link";
import { teamsAtom } from "../../teams/api";
import { useCanChange } from "../../teams/use-can-change";
import { PreviewPane } from "../live-preview";
import { pageAtom, previewPage, type StatusPage, savePage } from "./api";
import { AutoFields } from "./auto-fields";
import { ComponentList } from "./component-list";
import { bodyOf, draftsOf } from "./draft";

const fieldsOf = ({ title, description, theme, history_days, zone, auto_incidents, noindex }: StatusPage) => ({
  ...{ title, description, theme, zone, auto_incidents, noindex },
  history_days: HISTORY_DAYS.find((one) => one === history_days) ?? STATUS_DAYS,
});
type Fields = ReturnType<typeof fieldsOf>;

type FieldsProps = {
  fields: Fields;
  /** Whether title, description and theme are edited under "Status page". */
  isFirst: boolean;
  canChange: boolean;
  onChange: (change: Partial<Fields>) => void;
};

type NameProps = Pick<FieldsProps, "fields" | "onChange">;

/** The title, the description and the theme. */
function NameFields({ fields, onChange }: NameProps) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t("pages.name")}>
        <input
          maxLength={STATUS_LIMITS.title}
          autoComplete="off"
          value={fields.title}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </Field>
      <Field label={t("pages.description")}>
        <textarea
          rows={2}
          maxLength={STATUS_LIMITS.description}
          value={fields.description}
          onChange={({ target }) => onChange({ description: target.value })}
        />
      </Field>
      <Field label={t("pages.theme")}>
        <select
          value={fields.theme}
          onChange={({ target }) => onChange({ theme: STATUS_THEMES.find((one) => one === target.value) ?? "light" })}
        >
          {STATUS_THEMES.map((theme) => (
            <option key={theme} value={theme}>
              {t(`status.general.themes.${theme}`)}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

function PageFields({ fields, isFirst, canChange, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="card page-fields" disabled={!canChange}>
      {!isFirst && <NameFields fields={fields} onChange={onChange} />}
      <Field label={t("pages.historyDays")}>
        <select
          value={fields.history_days}
          onChange={({ target }) =>
            onChange({ history_days: HISTORY_DAYS.find((one) => String(one) === target.value) ?? STATUS_DAYS })
          }
        >
          {HISTORY_DAYS.map((days) => (
            <option key={days} value={days}>
              {t("pages.days", { count: days })}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("pages.zone")} hint={t("pages.zoneHint")}>
        <select value={fields.zone} onChange={({ target }) => onChange({ zone: target.value })}>
          {[...new Set([fields.zone, ...timeZones()])].map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      </Field>
      <Switch label={t("pages.noindex")} checked={fields.noindex} onChange={(noindex) => onChange({ noindex })} />
    </fieldset>
  );
}

function Editor({ page, onSaved }: { page: StatusPage; onSaved: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const canChange = useCanChange();
  const [stored, setStored] = useState(() => ({ fields: fieldsOf(page), drafts: draftsOf(page.components) }));
  const [version, setVersion] = useState(page.updated_at);
  const [now, setNow] = useState(stored);
  const [busy, start] = useTransition();
  const isDirty = now.fields !== stored.fields || now.drafts !== stored.drafts;
  const unsaved = useUnsaved(() => isDirty);
  const draft = { ...now.fields, components: bodyOf(now.drafts) };
  const save = () =>
    start(async () => {
      try {
        const saved = await savePage(page.id, { ...draft, updated_at: version });
        const next = { fields: fieldsOf(saved), drafts: draftsOf(saved.components) };
        setStored(next);
        setVersion(saved.updated_at);
        // Changes made during the call are still unsaved.
        setNow((shown) => (shown === now ? next : shown));
        toast(t("pages.saved"));
        await onSaved();
      } catch (failure) {
        toast(failureText(t("pages.saveFailed"), failure), { tone: "bad" });
      }
    });
  return (
    <>
      <BackLink to={paths.statusPages}>{t("pages.back")}</BackLink>
      <div className="page-head">
        <div className="detail-title">
          <h1>{stored.fields.title || page.slug}</h1>
          {page.first && <span className="tag">{t("pages.first")}</span>}
        </div>
        <div className="actions">
          <Link href={paths.statusPageAccess(page.id)} className="button plain">
            <Icon name="key" />
            {t("pages.access.link")}
          </Link>
          <a href={base + page.path} className="button plain" target="_blank" rel="noopener">
            <Icon name="external" />
            {t("pages.open")}
          </a>
        </div>
      </div>
      <div className="page-editor with-preview">
        <ComponentList
          drafts={now.drafts}
          listed={page.first ? page.components.filter(({ listed }) => listed) : null}
          canChange={canChange}
          onChange={(drafts) => setNow((before) => ({ ...before, drafts }))}
        />
        <div className="stack">
          <PageFields
            fields={now.fields}
            isFirst={page.first}
            canChange={canChange}
            onChange={(change) => setNow((before) => ({ ...before, fields: { ...before.fields, ...change } }))}
          />
          <AutoFields
            value={now.fields.auto_incidents}
            canChange={canChange}
            onChange={(auto_incidents) =>
              setNow((before) => ({ ...before, fields: { ...before.fields, auto_incidents } }))
            }
          />
        </div>
        <PreviewPane draft={draft} read={(body) => previewPage(page.id, body)} />
      </div>
      {isDirty && (
        <section className="save-bar" aria-label={t("common.action.save")}>
          <span role="status" className="soft small">
            {t("pages.unsaved")}
          </span>
          <div className="actions">
            <button type="button" disabled={busy} aria-busy={busy} onClick={save}>
              {t(busy ? "common.action.saving" : "pages.save")}
            </button>
          </div>
        </section>
      )}
      {unsaved}
    </>
  );
}

/** Loads what the page begins with. */
export const prepare = (id: string): Promise<unknown> =>
  Promise.all([pageAtom(Number(id)).prepare(), teamsAtom.prepare()]);

/** The editor of one status page. */
export default function EditorPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(pageAtom(Number(id)));
  if (data) return <Editor key={data.id} page={data} onSaved={async () => refresh()} />;
  return error ? (
    <Failure error={error} title={t("pages.loadFailed")} onRetry={() => void refresh()} />
  ) : (
    <Skeleton heights={["14rem"]} />
  );
}
