import type { Words } from "../../zh-CN";
import type { verify as verifyZhCN, elsewhere as zhCN } from "../../zh-CN/accounts/elsewhere";

export const elsewhere: Words<typeof zhCN> = {
  signIn: "Sign in with {{name}}",
  or: "or with a password",
  unavailable: "{{name}} can’t be reached right now.",
  administrators: "{{name}} can’t be reached right now. Administrators can sign in with their password.",
};

export const verify: Words<typeof verifyZhCN> = {
  title: "Verify your address",
  confirm: "This is my address",
  done: "Your email address is verified.",
  toProfile: "Go to your profile",
};
