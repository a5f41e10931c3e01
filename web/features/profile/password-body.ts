import { raw } from "../../lib/form";

export type PasswordBody = { currentPassword: string; newPassword: string };

/** "mismatch" when the new password was not typed the same way twice. */
export const toPasswordBody = (form: FormData): PasswordBody | "mismatch" =>
  raw(form, "newPassword") === raw(form, "confirm")
    ? { currentPassword: raw(form, "currentPassword"), newPassword: raw(form, "newPassword") }
    : "mismatch";
