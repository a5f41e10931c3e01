import { raw, text } from "../../lib/form";

export type LoginBody = { username: string; password: string };

export const toLoginBody = (form: FormData): LoginBody => ({
  username: text(form, "username"),
  password: raw(form, "password"),
});
