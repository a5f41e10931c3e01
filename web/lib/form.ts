/** The trimmed text of a field; a missing one is empty. */
export const text = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};

/** The text of a field as typed: passwords and bodies keep their spaces. */
export const raw = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** The whole number in a field; anything else counts as 0. */
export const whole = (form: FormData, name: string) => {
  const value = Number.parseInt(text(form, name), 10);
  return Number.isFinite(value) ? value : 0;
};

/** The forms on screen, each as a function that says whether it has changes that are not saved. */
const forms = new Set<() => boolean>();
let leaving = false;

/** Registers a form while it is on screen. Returns a function that removes it. */
export const registerForm = (isDirty: () => boolean): (() => void) => {
  forms.add(isDirty);
  return () => void forms.delete(isDirty);
};

/** Whether a form on screen has changes that are not saved. */
export const hasUnsaved = (): boolean => [...forms].some((isDirty) => isDirty());

/** Whether the user has already agreed to lose the changes. */
export const isLeaving = (): boolean => leaving;

/** Runs a navigation that no form may stop. */
export const leave = async (go: () => unknown): Promise<void> => {
  leaving = true;
  try {
    await go();
  } finally {
    leaving = false;
  }
};

const isPassword = (control: Element | null) => control?.getAttribute("autocomplete")?.includes("password") === true;

/**
 * The filled-in fields of a form by name, without passwords: password managers fill them in without the user, and losing one
 * does no harm.
 */
export const valuesOf = (form: HTMLFormElement): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  for (const [name, value] of new FormData(form)) {
    const control = form.querySelector(`[name="${CSS.escape(name)}"]`);
    if (!isPassword(control)) values.set(name, `${values.get(name) ?? ""}\n${String(value)}`.trimEnd());
  }
  return values;
};

/** Whether a field that is in the form now has another value than before. */
export const isChanged = (form: HTMLFormElement, before: ReadonlyMap<string, string>): boolean =>
  [...valuesOf(form)].some(([name, value]) => value !== (before.get(name) ?? ""));

/** Opens the folds with wrong fields, focuses the first one, and scrolls it into view with its label and its error. */
export const focusFirstWrong = (form: HTMLElement): void => {
  for (const fold of form.querySelectorAll<HTMLDetailsElement>("details:has([aria-invalid=true])")) fold.open = true;
  const wrong = form.querySelector<HTMLElement>("[aria-invalid=true]");
  if (!wrong) return;
  wrong.focus({ preventScroll: true });
  (wrong.closest(".field") ?? wrong).scrollIntoView({ block: "nearest" });
};
