import { elsewhere, verify } from "../en-US/accounts/elsewhere";
import { profile } from "../en-US/accounts/profile";
import { reset } from "../en-US/accounts/reset";
import { security } from "../en-US/accounts/security";
import { system } from "../en-US/accounts/system";
import { users } from "../en-US/accounts/users";
import { alerts } from "../en-US/alerts/alerts";
import { policies } from "../en-US/alerts/policies";
import { bulk } from "../en-US/bulk";
import { channels } from "../en-US/channels";
import { dashboard } from "../en-US/dashboard";
import { screenErrors } from "../en-US/errors/screens";
import { kinds } from "../en-US/kinds";
import { monitors } from "../en-US/monitors";
import { notifications } from "../en-US/notifications";
import { outages } from "../en-US/outages";
import { palette } from "../en-US/palette";
import { problems } from "../en-US/problems";
import { range } from "../en-US/reports/range";
import { reports } from "../en-US/reports/reports";
import { agents } from "../en-US/servers/agents";
import { plan } from "../en-US/servers/plan";
import { servers } from "../en-US/servers/servers";
import { shared } from "../en-US/shared";
import { status } from "../en-US/status";
import { tags } from "../en-US/tags";
import { unknown } from "../en-US/unknown";

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
};
