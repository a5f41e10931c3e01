import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../lib/copy";
import { toast } from "../feedback/toast";
import { Icon } from "./icon";

/** A text in a code block with a copy button. */
export function Copyable({ what, text }: { what: string; text: string }) {
  return (
    <div className="copyable">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}

const CONFIRMATION_MS = 2000;

type Props = { text: string; what: string /** Whether the button shows the icon alone. */; isIcon?: boolean };

/** Copies a text and shows a confirmation for 2 s. `what` names the text for screen readers. */
export function CopyButton({ text, what, isIcon = false }: Props) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    if (!(await copyText(text))) return toast(t("common.copy.failed"), { tone: "bad" });
    clearTimeout(timer.current);
    setDone(true);
    timer.current = setTimeout(() => setDone(false), CONFIRMATION_MS);
  };

  return (
    <button
      type="button"
      className={`${isIcon ? "quiet icon-only" : "plain"} compact copy${done ? " done" : ""}`}
      title={isIcon ? t("common.copy.what", { what }) : undefined}
      aria-label={done ? t("common.copy.done") : t("common.copy.what", { what })}
      onClick={() => void copy()}
    >
      <Icon name={done ? "check" : "copy"} />
      <span aria-live="polite" className={isIcon ? "visually-hidden" : undefined}>
        {t(done ? "common.copy.done" : "common.copy.action")}
      </span>
    </button>
  );
}
