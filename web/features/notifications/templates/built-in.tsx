import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../../src/shared/language";
import { type EventKind, type OutageKind, outageKindOf, targetTypeOf } from "../../../../src/shared/notifications";
import { withoutSign } from "../../../../src/shared/template/sign";
import { IconButton } from "../../../ui/controls/icon-button";
import { Search } from "../../../ui/controls/search";
import { Segments } from "../../../ui/controls/segments";
import type { Template } from "../api";
import { useKindName } from "../labels";

const names: Record<Language, string> = { "zh-CN": "中文", "en-US": "English" };

/** Subjects of events. Events about the hub itself are sent to administrators. */
const SUBJECTS = ["monitor", "agent", "hub"] as const;
type Subject = (typeof SUBJECTS)[number];
const HUB_KINDS: readonly OutageKind[] = ["unwatched", "backup"];
const subjectOf = (event: EventKind): Subject =>
  HUB_KINDS.includes(outageKindOf(event)) ? "hub" : targetTypeOf(event);

/** The title of an example, unless it only repeats the name of its event after the name of the target. */
const exampleOf = (title: string, kind: string): string =>
  title.toLowerCase().endsWith(kind.toLowerCase()) ? "" : withoutSign(title);

type Props = {
  /** In both languages. */
  templates: readonly Template[];
  /** The events with a template of the user for all channels; null for one of all events. */
  customised: readonly (EventKind | null)[];
  onCustomise: (event: EventKind) => void;
};

/** The built-in messages by subject: the beginning and the end of each kind of outage, with example titles. */
export function BuiltInTemplates({ templates, customised, onCustomise }: Props) {
  const { t, i18n } = useTranslation();
  const kindName = useKindName();
  const [other, setOther] = useState<Language>();
  const [search, setSearch] = useState("");
  const language = other ?? (i18n.language as Language);
  const wanted = search.trim().toLowerCase();
  const found = templates.filter(
    ({ type, name, subject }) => type === language && `${kindName(name)} ${subject}`.toLowerCase().includes(wanted),
  );
  return (
    <section className="built-in" aria-label={t("notifications.template.builtIn")}>
      <h3>{t("notifications.template.builtIn")}</h3>
      <div className="toolbar">
        <Search label={t("notifications.template.search")} value={search} onChange={setSearch} />
        <span className="spring" />
        <Segments
          label={t("notifications.template.language")}
          choices={LANGUAGES.map((value) => ({ value, label: names[value] }))}
          chosen={language}
          onChoose={setOther}
        />
      </div>
      {SUBJECTS.map((subject) => {
        const own = found.filter(({ name }) => subjectOf(name) === subject);
        return (
          own.length > 0 && (
            <section key={subject} aria-label={t(`notifications.template.about.${subject}`)}>
              <h4>{t(`notifications.template.about.${subject}`)}</h4>
              <ul className={wanted ? "template-list" : "template-list in-pairs"}>
                {own.map(({ id, name, type, subject }) => (
                  <li key={id}>
                    <strong>{kindName(name)}</strong>
                    <span className="soft small truncate" lang={type}>
                      {exampleOf(subject, kindName(name))}
                    </span>
                    {customised.includes(name) && (
                      <span className="tag strong">{t("notifications.template.customised")}</span>
                    )}
                    <IconButton
                      icon="edit"
                      label={t("notifications.template.customise")}
                      of={kindName(name)}
                      onClick={() => onCustomise(name)}
                    />
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
      {found.length === 0 && <p className="soft small">{t("alerts.exceptions.noMatch")}</p>}
    </section>
  );
}
