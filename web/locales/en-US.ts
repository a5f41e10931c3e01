import { account } from "./en-US/account";
import { common } from "./en-US/common";
import { dashboard } from "./en-US/dashboard";
import { errors } from "./en-US/errors";
import { home } from "./en-US/home";
import { monitors } from "./en-US/monitors";
import type { Translation } from "./zh-CN";

export const enUS: Translation = { common, home, account, dashboard, monitors, errors };
