import { raw, text } from "../../lib/form";

export type RegisterBody = { username: string; email: string; password: string; setup_code?: string };

/** The body of a registration, or "mismatch" when the two passwords differ. */
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

/** The setup code in the hash of the address that the hub logs at its start; servers and proxies do not log a hash. Otherwise "". */
export const setupCodeOf = (hash: string): string => /^#([\dA-Z]{5}(?:-[\dA-Z]{5}){3})$/i.exec(hash)?.[1] ?? "";
