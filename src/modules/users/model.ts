import { type Static, t } from "elysia";
import { validation } from "../../core/errors";
import { oneOf, whole } from "../../server/schema";
import { LIMITS } from "../../shared/limits";
import { emailModel, passwordModel, usernameModel } from "../auth/model";

const role = oneOf(["admin", "user"]);

export const newUserModel = t.Object({
  username: usernameModel,
  password: passwordModel,
  email: t.Optional(emailModel),
  role: t.Optional(role),
});

export const pageQuery = t.Object({
  limit: t.Optional(whole(1, LIMITS.listed)),
  offset: t.Optional(whole(0, Number.MAX_SAFE_INTEGER)),
});

const typedPassword = t.Optional(t.String({ maxLength: 1000 }));

/** Fields that are left out stay as they are. */
export const changeModel = t.Object({
  username: t.Optional(usernameModel),
  email: t.Optional(emailModel),
  role: t.Optional(role),
  currentPassword: typedPassword,
  current_password: typedPassword,
});
export type Change = Static<typeof changeModel>;

export const passwordChangeModel = t.Object({
  currentPassword: typedPassword,
  current_password: typedPassword,
  newPassword: t.Optional(passwordModel),
  new_password: t.Optional(passwordModel),
});

type Typed = { currentPassword?: string; current_password?: string };
const currentOf = (body: Typed) => body.currentPassword ?? body.current_password ?? "";

const missingPasswords = (paths: string[]) =>
  validation(paths.map((path) => ({ path, message: `${path}: expected a password` })));

/**
 * The current password of a request that needs one.
 * @throws {AppError} validation when it is missing
 */
export const currentPasswordOf = (body: Typed): string => {
  const current = currentOf(body);
  if (!current) throw missingPasswords(["currentPassword"]);
  return current;
};

/** @throws {AppError} validation when the new password is missing, or one's own current password */
export const parsePasswordChange = (body: Static<typeof passwordChangeModel>, ofOneself: boolean) => {
  const current = currentOf(body);
  const wanted = body.newPassword ?? body.new_password;
  const missing = [
    ...(ofOneself && !current ? ["currentPassword"] : []),
    ...(wanted === undefined ? ["newPassword"] : []),
  ];
  if (missing.length > 0 || wanted === undefined) throw missingPasswords(missing);
  return { current, wanted };
};
