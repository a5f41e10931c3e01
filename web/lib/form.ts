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
