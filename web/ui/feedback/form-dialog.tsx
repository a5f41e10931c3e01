import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isChanged, valuesOf } from "../../lib/form";
import { Form } from "../controls/form";
import { Icon } from "../controls/icon";
import type { Submission } from "../hooks/use-submit";
import { useModal } from "./confirm-dialog";
import { useDiscardQuestion } from "./unsaved";

/** A form that is checked by `Form`, or by itself when it is submitted. */
type Checked =
  | ({ of: Submission } & Pick<ComponentProps<typeof Form>, "onValid" | "check">)
  | ({ of: Pick<Submission, "element" | "busy" | "error">; onSubmit: () => void } & Pick<
      ComponentProps<"form">,
      "onInput"
    >);

type Props = Checked & {
  title: string;
  text?: string;
  className?: string;
  /** The selector of the control that has the focus at first; by default the first one. */
  focus?: string;
  /** Whether Escape asks before it closes; by default when a field has another value than at first. */
  isDirty?: () => boolean;
  submit?: string;
  disabled?: boolean;
  /** A button at the other end of the foot. */
  first?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A modal dialog around a form, open while it is mounted: the fields, the failure of the last attempt, and the buttons. */
export function FormDialog({ title, text, className = "", focus, isDirty, onClose, ...props }: Props) {
  const { t } = useTranslation();
  const { submit = t("common.action.save"), disabled = false, first, children, ...checked } = props;
  const { element, busy, error } = checked.of;
  const dialog = useModal();
  const id = useId();
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  const hasChanged = () => element.current !== null && isChanged(element.current, before.current);
  const { onCancel, question } = useDiscardQuestion(isDirty ?? hasChanged, busy, onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once, when the dialog opens
  useEffect(() => {
    if (!element.current) return;
    before.current = valuesOf(element.current);
    if (focus) element.current.querySelector<HTMLElement>(focus)?.focus();
  }, []);

  const content = (
    <>
      {children}
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          <span>{error}</span>
        </p>
      )}
      <div className="actions">
        {first}
        <button type="button" className="quiet" disabled={busy} onClick={onClose}>
          {t("common.action.cancel")}
        </button>
        <button type="submit" disabled={busy || disabled} aria-busy={busy}>
          {busy ? t("common.action.saving") : submit}
        </button>
      </div>
    </>
  );

  return (
    <dialog
      ref={dialog}
      className={`form-dialog ${className}`}
      aria-labelledby={id}
      onCancel={onCancel}
      onClose={onClose}
    >
      <article>
        <h2 id={id}>{title}</h2>
        {text && <p className="soft">{text}</p>}
        {"onValid" in checked ? (
          <Form {...checked} guarded={false}>
            {content}
          </Form>
        ) : (
          <form
            ref={element}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              checked.onSubmit();
            }}
            onInput={checked.onInput}
          >
            {content}
          </form>
        )}
      </article>
      {question}
    </dialog>
  );
}
