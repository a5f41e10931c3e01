import { raw, text } from "../../lib/form";

export type Role = "admin" | "user";
export type AccountBody = { username: string; email: string; role: Role; currentPassword?: string };
export type NewUserBody = AccountBody & { password: string };

export const roles = ["user", "admin"] as const satisfies readonly Role[];

/** Every role but `admin` counts as `user`. A disabled field is not in the form, so the current role is used. */
const toRole = (form: FormData, current: string): Role =>
  (text(form, "role") || current) === "admin" ? "admin" : "user";

export const toAccountBody = (form: FormData, current = "user"): AccountBody => ({
  username: text(form, "username"),
  email: text(form, "email"),
  role: toRole(form, current),
});

export const toNewUserBody = (form: FormData): NewUserBody => ({
  ...toAccountBody(form),
  password: raw(form, "password"),
});
