import { raw, text } from "../../lib/form";

export type RegisterBody = { username: string; email: string; password: string };

/** "mismatch" when the password was not typed the same way twice. */
export const toRegisterBody = (form: FormData): RegisterBody | "mismatch" =>
  raw(form, "password") === raw(form, "confirm")
    ? { username: text(form, "username"), email: text(form, "email"), password: raw(form, "password") }
    : "mismatch";
