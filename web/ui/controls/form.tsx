import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isChanged, valuesOf } from "../../lib/form";
import { useUnsaved } from "../feedback/unsaved";
import { fieldName, useProblemText } from "../hooks/use-error-text";
import type { Submission } from "../hooks/use-submit";
import { Icon } from "./icon";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: EventTarget | null): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** The problem of a value by the attributes of its control. */
const problemOf = (control: Control): "missing" | "invalid" | undefined => {
  const { validity, disabled } = control;
  if (disabled || validity.valid) return undefined;
  // Text in a field for numbers counts as missing, too.
  return validity.valueMissing && !validity.badInput ? "missing" : "invalid";
};

/** Returns a function that runs a task once no button of the mouse is pressed: text that appears would move what is pressed. */
const useAfterPress = () => {
  const isPressed = useRef(false);
  useEffect(() => {
    const note = ({ type }: Event) => {
      isPressed.current = type === "pointerdown";
    };
    const types = ["pointerdown", "pointerup", "pointercancel"];
    for (const type of types) document.addEventListener(type, note, { capture: true });
    return () => {
      for (const type of types) document.removeEventListener(type, note, { capture: true });
    };
  }, []);
  return (task: () => void): void => {
    if (isPressed.current) document.addEventListener("pointerup", () => setTimeout(task), { once: true });
    else task();
  };
};

type Props = {
  of: Submission;
  /** Called when every field is valid. */
  onValid: (fields: FormData, form: HTMLFormElement) => void;
  /** Wrong fields beyond the attributes of their controls, by name: with a text, or with the usual one. */
  check?: (fields: FormData) => Readonly<Record<string, string | true | undefined>>;
  /** Completes what was typed, before it is checked. */
  complete?: (form: HTMLFormElement) => void;
  /** The name of the field that has the focus at first, or true for the first field. */
  focus?: string | true;
  /** Whether to ask before typed changes are lost. */
  guarded?: boolean;
  className?: string;
  onInput?: (event: FormEvent<HTMLFormElement>) => void;
  onBlur?: (form: HTMLFormElement) => void;
  /** Called when a field was left and no button of the mouse is pressed, for what moves other parts of the page. */
  onLeave?: (form: HTMLFormElement) => void;
  children: ReactNode;
};

/**
 * A form that says what is wrong with its fields in the page's own words, when a field is left or the form is submitted,
 * instead of by the browser's bubbles. The first wrong field gets the focus, also after the server has refused it.
 */
export function Form({ of, onValid, check, complete, focus, guarded = true, className, ...props }: Props) {
  const problemText = useProblemText();
  const { element, saves, sending } = of;
  const afterPress = useAfterPress();
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  /** The fields that `check` has refused. */
  const checked = useRef<ReadonlySet<string>>(new Set());
  const dialog = useUnsaved(
    () => guarded && element.current !== null && isChanged(element.current, before.current),
    () => sending.current,
  );

  // Both before the form is on screen: later, the user may have typed something already, or be typing into another field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each save the present values are the saved ones
  useLayoutEffect(() => {
    if (element.current) before.current = valuesOf(element.current);
  }, [saves, element]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new form takes the focus
  useLayoutEffect(() => {
    const controls = [...(element.current?.elements ?? [])].filter(isControl);
    // A page begins with its title, also where the field is far below.
    if (focus)
      controls
        .find(({ name, type }) => (focus === true ? type !== "hidden" : name === focus))
        ?.focus({ preventScroll: true });
  }, []);

  const problemsOf = (form: HTMLFormElement) =>
    Object.entries(check?.(new FormData(form)) ?? {}).filter(([, problem]) => problem !== undefined);

  /** The errors of the fields of a form that the page finds itself. */
  const errorsOf = (form: HTMLFormElement): Record<string, string> => {
    const errors: Record<string, string> = {};
    const problems = problemsOf(form);
    checked.current = new Set(problems.map(([name]) => name));
    for (const [name, problem] of problems)
      errors[name] = typeof problem === "string" ? problem : problemText(name, "invalid");
    for (const control of form.elements) {
      const problem = isControl(control) ? problemOf(control) : undefined;
      if (problem) errors[fieldName(control)] = problemText(fieldName(control), problem);
    }
    return errors;
  };

  return (
    <form
      ref={element}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        complete?.(form);
        const errors = errorsOf(form);
        if (Object.keys(errors).length > 0) of.refuse(errors);
        else onValid(new FormData(form), form);
      }}
      onInput={(event) => {
        if (isControl(event.target)) of.mark(fieldName(event.target), undefined);
        // A field may be right again by what was typed into another one.
        if (checked.current.size > 0) {
          const still = new Set(problemsOf(event.currentTarget).map(([name]) => name));
          for (const name of checked.current) if (!still.has(name)) of.mark(name, undefined);
        }
        props.onInput?.(event);
      }}
      onBlur={(event) => {
        const { target, currentTarget } = event;
        props.onBlur?.(currentTarget);
        afterPress(() => currentTarget.isConnected && props.onLeave?.(currentTarget));
        // An empty field is not wrong before the form is submitted.
        if (!isControl(target) || target.value.trim() === "") return;
        const name = fieldName(target);
        afterPress(() => {
          const error = errorsOf(currentTarget)[name];
          if (error && target.isConnected) of.mark(name, error);
        });
      }}
    >
      {props.children}
      {dialog}
    </form>
  );
}

type FormFootProps = {
  of: Pick<Submission, "error" | "busy">;
  submit?: string;
  disabled?: boolean;
  /** Less prominent, where another button of the screen is its main one. */
  plain?: boolean;
  /** Stays at the lower edge of the screen while the form is longer than the screen. */
  sticky?: boolean;
  /** Beside the button, such as a link to cancel. */
  children?: ReactNode;
};

/** The end of a form: the error of the last attempt and the submit button. */
export function FormFoot({ of, submit, disabled = false, plain, sticky = false, children }: FormFootProps) {
  const { t } = useTranslation();
  const { error, busy } = of;
  return (
    <div className={sticky ? "save-bar at-end" : "form-foot"}>
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
      <div className="actions">
        <button type="submit" className={plain ? "plain" : undefined} disabled={busy || disabled} aria-busy={busy}>
          {busy ? t("common.action.saving") : (submit ?? t("common.action.save"))}
        </button>
        {children}
      </div>
    </div>
  );
}
