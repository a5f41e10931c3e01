import { raw } from "../../lib/form";

export type PasswordBody = { currentPassword: string; newPassword: string };

/** The body of a change of password, or "mismatch" when the two new passwords differ. */
export const toPasswordBody = (form: FormData): PasswordBody | "mismatch" =>
  raw(form, "newPassword") === raw(form, "confirm")
    ? { currentPassword: raw(form, "currentPassword"), newPassword: raw(form, "newPassword") }
    : "mismatch";
