import { type FormEvent, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { base } from "../../paths";
import { serverAddress } from "../../settings";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Icon } from "../../ui/icon";
import { Tabs } from "../../ui/tabs";
import { toast } from "../../ui/toast";
import { useFailureText } from "../../ui/use-error-text";
import { useFieldErrors } from "../../ui/use-field-errors";
import { type Body, bodyOf, type Config, saveConfig } from "./calls";
import { ChoiceTab } from "./choice-tab";
import { GeneralTab } from "./general-tab";
import { useUnsaved } from "./use-unsaved";

const tabs = ["general", "services", "agents"] as const;
type Tab = (typeof tabs)[number];

export function ConfigForm({ config, onSaved }: { config: Config; onSaved: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const fields = useFieldErrors();
  const saved = bodyOf(config);
  const [changes, setChanges] = useState<Partial<Body>>({});
  const [tab, setTab] = useState<Tab>("general");
  const [busy, start] = useTransition();
  const draft = { ...saved, ...changes };
  const dirty = JSON.stringify(draft) !== JSON.stringify(saved);
  const unsaved = useUnsaved(dirty);
  const change = (more: Partial<Body>) => setChanges((before) => ({ ...before, ...more }));

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    start(async () => {
      try {
        await saveConfig(draft);
        fields.keep(undefined);
        await onSaved();
        // What was typed while it was being saved is still to be saved.
        setChanges((now) => (now === changes ? {} : now));
        toast(t("status.saved"));
      } catch (failure) {
        fields.keep(failure);
        toast(failureText(t("status.saveFailed"), failure), { tone: "bad" });
      }
    });
  };

  return (
    <form className="status-config" onSubmit={onSubmit}>
      <div className="page-head">
        <h1>{t("status.title")}</h1>
        <div className="actions">
          {dirty && <span className="soft small">{t("status.unsaved")}</span>}
          <Preview config={config} />
          <button type="submit" disabled={busy || (!dirty && config.published)} aria-busy={busy}>
            {t(busy ? "common.action.saving" : config.published ? "common.action.save" : "status.publish")}
          </button>
        </div>
      </div>
      <Tabs
        label={t("status.tabs.label")}
        tabs={tabs.map((value) => ({ value, label: t(`status.tabs.${value}`) }))}
        chosen={tab}
        onChoose={setTab}
      >
        {tab === "general" && (
          <GeneralTab
            draft={draft}
            publicUrl={serverAddress() + config.path}
            published={config.published}
            errorOf={fields.of}
            onChange={change}
          />
        )}
        {tab === "services" && (
          <ChoiceTab
            kind="services"
            choices={config.monitors}
            chosen={draft.monitors}
            onChoose={(monitors) => change({ monitors })}
          />
        )}
        {tab === "agents" && (
          <ChoiceTab
            kind="agents"
            choices={config.agents}
            chosen={draft.agents}
            onChoose={(agents) => change({ agents })}
          />
        )}
      </Tabs>
      {unsaved.isAsking && (
        <ConfirmDialog
          title={t("status.leave.title")}
          text={t("status.leave.text")}
          confirm={t("status.leave.confirm")}
          busy={t("status.leave.confirm")}
          onConfirm={async () => unsaved.leave()}
          onClose={unsaved.stay}
        />
      )}
    </form>
  );
}

/** Opens the page, where there is one. */
function Preview({ config: { path, published } }: { config: Config }) {
  const { t } = useTranslation();
  const content = (
    <>
      <Icon name="external" />
      {t("status.preview")}
    </>
  );
  return published ? (
    <a href={base + path} className="button plain" target="_blank" rel="noopener">
      {content}
    </a>
  ) : (
    <button type="button" className="plain" disabled>
      {content}
    </button>
  );
}
