import { type Static, t } from "elysia";
import { validation } from "../../../core/errors";
import { field, oneOf, whole } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";
import { emailModel, passwordModel, usernameModel } from "../model";

const role = oneOf(["admin", "user"]);
const username = field(usernameModel, "1 to 64 characters, unique regardless of case.", "bob");

export const newUserModel = t.Object({
  username,
  password: field(passwordModel, "8 to 256 characters.", "correct horse battery"),
  email: t.Optional(field(emailModel, "The user's email address.", "bob@example.com")),
  role: t.Optional(field(role, "`user` by default.", "user")),
});

export const pageQuery = t.Object({
  limit: t.Optional(field(whole(1, LIMITS.listed), "The size of the page; 1,000 by default.")),
  offset: t.Optional(field(whole(0, Number.MAX_SAFE_INTEGER), "How many users to skip.")),
});

const typedPassword = t.String({ maxLength: 1000 });

/** Fields that are left out stay as they are. */
export const changeModel = t.Object({
  username: t.Optional(username),
  email: t.Optional(field(emailModel, "Empty or null to remove it.", "bob@example.com")),
  role: t.Optional(field(role, "Only administrators may change it.")),
  currentPassword: t.Optional(field(typedPassword, "To change your own account without a fresh proof that it is you.")),
  current_password: t.Optional(field(typedPassword, "The same as currentPassword.")),
});
export type Change = Static<typeof changeModel>;

export const passwordChangeModel = t.Object({
  currentPassword: t.Optional(
    field(typedPassword, "Your current password; administrators omit it for other users.", "correct horse battery"),
  ),
  current_password: t.Optional(field(typedPassword, "The same as currentPassword.")),
  newPassword: t.Optional(field(passwordModel, "8 to 256 characters.", "a staple and more")),
  new_password: t.Optional(field(passwordModel, "The same as newPassword.")),
});

type Typed = { currentPassword?: string; current_password?: string };
/** The current password of a request; empty when it is missing. */
export const currentPasswordOf = (body: Typed) => body.currentPassword ?? body.current_password ?? "";

const missingPasswords = (paths: string[]) =>
  validation(paths.map((path) => ({ path, message: `${path}: expected a password` })));

/** @throws {AppError} validation when the new password is missing, or one's own current password */
export const parsePasswordChange = (body: Static<typeof passwordChangeModel>, ofOneself: boolean) => {
  const current = currentPasswordOf(body);
  const next = body.newPassword ?? body.new_password;
  const missing = [
    ...(ofOneself && !current ? ["currentPassword"] : []),
    ...(next === undefined ? ["newPassword"] : []),
  ];
  if (missing.length > 0 || next === undefined) throw missingPasswords(missing);
  return { current, next };
};
