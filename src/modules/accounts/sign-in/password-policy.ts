import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import type { PasswordLogin } from "../../../core/settings/sign-in";
import type { User } from "../account/service";
import type { Issuer } from "../oidc/issuer";

/** Who may sign in with a password or a passkey now. */
export type PasswordPolicy = () => Promise<PasswordLogin>;

/** PASSWORD_LOGIN. Where it is off, administrators may sign in while the issuer can't be reached. */
export const createPasswordPolicy =
  ({ config }: Pick<Deps, "config">, issuer: Issuer): PasswordPolicy =>
  async () => {
    const { passwordLogin, oidc } = config;
    if (passwordLogin !== "off" || !oidc.issuer) return passwordLogin;
    return (await issuer.isAvailable()) ? "off" : "admins";
  };

/** @throws {AppError} password_login_off */
export const assertAllowed = (policy: PasswordLogin, { role }: Pick<User, "role">): void => {
  if (policy === "off" || (policy === "admins" && role !== "admin")) throw new AppError("password_login_off");
};
