import { account } from "./en-US/accounts/account";
import { profile } from "./en-US/accounts/profile";
import { security } from "./en-US/accounts/security";
import { users } from "./en-US/accounts/users";
import { agents } from "./en-US/agents";
import { channels } from "./en-US/channels";
import { common } from "./en-US/common";
import { dashboard } from "./en-US/dashboard";
import { errors } from "./en-US/errors";
import { home } from "./en-US/home";
import { kinds } from "./en-US/kinds";
import { monitors } from "./en-US/monitors";
import { notifications } from "./en-US/notifications";
import { outages } from "./en-US/outages";
import { palette } from "./en-US/palette";
import { policies } from "./en-US/policies";
import { problems } from "./en-US/problems";
import { status } from "./en-US/status";
import { tags } from "./en-US/tags";
import type { Translation } from "./zh-CN";

export const enUS: Translation = {
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
};
