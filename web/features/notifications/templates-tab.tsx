import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../src/shared/language";
import { Icon } from "../../ui/controls/icon";
import { Segments } from "../../ui/controls/segments";
import { toast } from "../../ui/feedback/toast";
import { useKindName } from "./labels";
import type { Template } from "./normalise";

const names: Record<Language, string> = { "zh-CN": "中文", "en-US": "English" };

/** The built-in message templates, read-only. */
export function TemplatesTab({ templates }: { templates: readonly Template[] }) {
  const { t, i18n } = useTranslation();
  const kindName = useKindName();
  const [language, setLanguage] = useState(i18n.language as Language);
  const soon = () => toast(t("notifications.template.soon"), { tone: "info" });

  return (
    <div className="stack">
      <p className="soft">{t("notifications.template.text")}</p>
      <div className="actions template-bar">
        <Segments
          label={t("notifications.template.language")}
          choices={LANGUAGES.map((value) => ({ value, label: names[value] }))}
          chosen={language}
          onChoose={setLanguage}
        />
        <button type="button" className="plain" onClick={soon}>
          <Icon name="plus" />
          {t("notifications.template.add")}
        </button>
      </div>
      <ul className="card-grid">
        {templates
          .filter(({ type }) => type === language)
          .map(({ id, name, type, subject, content, isDefault }) => (
            <li key={id}>
              <article className="card item-card message-card">
                <header>
                  <div>
                    <h2>{kindName(name)}</h2>
                  </div>
                  {isDefault && <span className="tag">{t("notifications.template.default")}</span>}
                  <button
                    type="button"
                    className="quiet compact icon-only"
                    aria-label={t("notifications.template.editOf", { name: kindName(name) })}
                    title={t("common.action.edit")}
                    onClick={soon}
                  >
                    <Icon name="edit" />
                  </button>
                </header>
                <div className="message-sample" lang={type}>
                  <strong>{subject}</strong>
                  <p>{content}</p>
                </div>
              </article>
            </li>
          ))}
      </ul>
    </div>
  );
}
