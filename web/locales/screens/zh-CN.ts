import { elsewhere, verify } from "../zh-CN/accounts/elsewhere";
import { profile } from "../zh-CN/accounts/profile";
import { reset } from "../zh-CN/accounts/reset";
import { security } from "../zh-CN/accounts/security";
import { system } from "../zh-CN/accounts/system";
import { users } from "../zh-CN/accounts/users";
import { alerts } from "../zh-CN/alerts/alerts";
import { policies } from "../zh-CN/alerts/policies";
import { bulk } from "../zh-CN/bulk";
import { channels } from "../zh-CN/channels";
import { dashboard } from "../zh-CN/dashboard";
import { screenErrors } from "../zh-CN/errors/screens";
import { kinds } from "../zh-CN/kinds";
import { monitors } from "../zh-CN/monitors";
import { notifications } from "../zh-CN/notifications";
import { outages } from "../zh-CN/outages";
import { palette } from "../zh-CN/palette";
import { problems } from "../zh-CN/problems";
import { range } from "../zh-CN/reports/range";
import { reports } from "../zh-CN/reports/reports";
import { agents } from "../zh-CN/servers/agents";
import { plan } from "../zh-CN/servers/plan";
import { servers } from "../zh-CN/servers/servers";
import { shared } from "../zh-CN/shared";
import { status } from "../zh-CN/status";
import { tags } from "../zh-CN/tags";
import { unknown } from "../zh-CN/unknown";

/** The texts of the screens behind the sign-in. None of them is in `first`, so that the bundler shares nothing between both. */
export const screens = {
  shared,
  dashboard,
  palette,
  problems,
  outages,
  range,
  reports,
  monitors,
  kinds,
  agents,
  servers,
  plan,
  notifications,
  alerts,
  channels,
  policies,
  status,
  tags,
  unknown,
  bulk,
  users,
  reset,
  elsewhere,
  verify,
  profile,
  security,
  system,
  errors: screenErrors,
} as const;
