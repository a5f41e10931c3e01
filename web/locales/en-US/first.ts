import { account } from "./accounts/account";
import { common } from "./common";
import { firstErrors } from "./errors/first";
import { frame } from "./frame";
import { home } from "./home";

/** The texts that a visitor needs before signing in, and those around every screen. The others are loaded with the first screen. */
export const first = {
  account,
  common: { ...common, ...frame, action: { ...common.action, ...frame.action } },
  errors: firstErrors,
  home,
};
