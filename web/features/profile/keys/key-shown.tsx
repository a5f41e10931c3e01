import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { serverAddress } from "../../../bootstrap";
import { Copyable } from "../../../ui/controls/copyable";
import { Icon } from "../../../ui/controls/icon";
import type { NewKey } from "../calls";

const exampleOf = (key: string) => `curl -H "Authorization: Bearer ${key}" ${serverAddress()}/api/monitors`;

/** A key right after its creation, with a command to try it. The key is not shown again. */
export function KeyShown({ created: { key, name }, onDone }: { created: NewKey; onDone: () => void }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone, so the focus moves to the first copy button.
  useEffect(() => box.current?.querySelector("button")?.focus(), []);

  return (
    <div className="key-shown" ref={box}>
      <p className="message good" role="status">
        <Icon name="key" />
        <span>
          <strong>{name}</strong>
          <br />
          {t("profile.keys.once")}
        </span>
      </p>
      <div className="field">
        <span className="choice-label">{t("profile.keys.key")}</span>
        <Copyable what={t("profile.keys.key")} text={key} />
      </div>
      <div className="field">
        <span className="choice-label">{t("profile.keys.example")}</span>
        <Copyable what={t("profile.keys.example")} text={exampleOf(key)} />
      </div>
      <div className="actions">
        <button type="button" className="plain" onClick={onDone}>
          {t("profile.keys.done")}
        </button>
      </div>
    </div>
  );
}
