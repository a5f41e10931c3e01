import { raw, text } from "../../lib/form";

export type Role = "admin" | "user";
export type AccountBody = { username: string; email: string; role: Role; currentPassword?: string };
export type NewUserBody = AccountBody & { password: string };

export const roles = ["user", "admin"] as const satisfies readonly Role[];

/** Anything but an administrator is a plain user; a role that cannot be chosen stays as it is. */
const toRole = (form: FormData, kept: string): Role => ((text(form, "role") || kept) === "admin" ? "admin" : "user");

export const toAccountBody = (form: FormData, kept = "user"): AccountBody => ({
  username: text(form, "username"),
  email: text(form, "email"),
  role: toRole(form, kept),
});

export const toNewUserBody = (form: FormData): NewUserBody => ({
  ...toAccountBody(form),
  password: raw(form, "password"),
});
