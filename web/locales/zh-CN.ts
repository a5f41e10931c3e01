import { account } from "./zh-CN/accounts/account";
import { profile } from "./zh-CN/accounts/profile";
import { security } from "./zh-CN/accounts/security";
import { users } from "./zh-CN/accounts/users";
import { agents } from "./zh-CN/agents";
import { channels } from "./zh-CN/channels";
import { common } from "./zh-CN/common";
import { dashboard } from "./zh-CN/dashboard";
import { errors } from "./zh-CN/errors";
import { home } from "./zh-CN/home";
import { kinds } from "./zh-CN/kinds";
import { monitors } from "./zh-CN/monitors";
import { notifications } from "./zh-CN/notifications";
import { outages } from "./zh-CN/outages";
import { palette } from "./zh-CN/palette";
import { policies } from "./zh-CN/policies";
import { problems } from "./zh-CN/problems";
import { status } from "./zh-CN/status";
import { tags } from "./zh-CN/tags";

export const zhCN = {
  common,
  home,
  account,
  dashboard,
  palette,
  problems,
  outages,
  monitors,
  kinds,
  agents,
  notifications,
  channels,
  policies,
  status,
  tags,
  users,
  profile,
  security,
  errors,
} as const;

/** The shape of a text in another language: the same keys, with any strings. */
export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };

/** The texts of the console. A language without one of these keys does not compile. */
export type Translation = Words<typeof zhCN>;
