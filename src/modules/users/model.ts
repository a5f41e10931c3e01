import { type Static, t } from "elysia";
import { validation } from "../../errors";
import { oneOf } from "../../wire";
import { emailModel, passwordModel, usernameModel } from "../auth/model";

const role = oneOf(["admin", "user"]);

export const newUserModel = t.Object({
  username: usernameModel,
  password: passwordModel,
  email: t.Optional(emailModel),
  role: t.Optional(role),
});

/** What is left out stays as it is. */
export const changeModel = t.Object({
  username: t.Optional(usernameModel),
  email: t.Optional(emailModel),
  role: t.Optional(role),
});
export type Change = Static<typeof changeModel>;

const typedPassword = t.Optional(t.String({ maxLength: 1000 }));

export const passwordChangeModel = t.Object({
  currentPassword: typedPassword,
  current_password: typedPassword,
  newPassword: t.Optional(passwordModel),
  new_password: t.Optional(passwordModel),
});

/** @throws {AppError} validation, when the new password is missing, or the current one that is asked of oneself */
export const parsePasswordChange = (body: Static<typeof passwordChangeModel>, ofOneself: boolean) => {
  const current = body.currentPassword ?? body.current_password;
  const wanted = body.newPassword ?? body.new_password;
  const missing = [
    ...(ofOneself && !current ? ["currentPassword"] : []),
    ...(wanted === undefined ? ["newPassword"] : []),
  ];
  if (missing.length > 0 || wanted === undefined)
    throw validation(missing.map((path) => ({ path, message: `${path}: expected a password` })));
  return { current: current ?? "", wanted };
};
