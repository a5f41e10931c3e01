import { raw, text } from "../../lib/form";

export type RegisterBody = { username: string; email: string; password: string; setup_code?: string };

/** "mismatch" when the password was not typed the same way twice. */
export const toRegisterBody = (form: FormData): RegisterBody | "mismatch" => {
  if (raw(form, "password") !== raw(form, "confirm")) return "mismatch";
  const code = text(form, "setup_code");
  return {
    username: text(form, "username"),
    email: text(form, "email"),
    password: raw(form, "password"),
    ...(code && { setup_code: code }),
  };
};

/** The setup code in an address of the start log, which stands behind the # so that no server or proxy logs it. */
export const setupCodeOf = (hash: string): string => /^#([\dA-Z]{5}(?:-[\dA-Z]{5}){3})$/i.exec(hash)?.[1] ?? "";
