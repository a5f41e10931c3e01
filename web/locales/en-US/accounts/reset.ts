import type { Words } from "../../zh-CN";
import type { reset as zhCN } from "../../zh-CN/accounts/reset";

export const reset: Words<typeof zhCN> = {
  forgotTitle: "Reset your password",
  forgotten: "Forgot your password?",
  forgotText: "Enter the email address of your account. You will get a link to set a new password.",
  send: "Send link",
  sending: "Sending…",
  sendFailed: "The link could not be sent, please try again",
  sent: "If an account has this address, a link is on its way. It works for 30 minutes. If nothing arrives, look into your spam folder.",
  byAdministrator: "Mail is not set up here. Ask an administrator to set a new password for you.",
  toLogin: "Back to sign in",
  title: "Set a new password",
  password: "New password",
  save: "Save password",
  saving: "Saving…",
  saveFailed: "The password could not be saved, please try again",
  saved: "Your password is changed. Please sign in.",
  noToken: "This link is not complete. Open the link in the mail, or request a new one.",
  again: "Request a new link",
};
