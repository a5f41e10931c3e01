import type { Part } from "./operation";
import { agents } from "./operations/agents";
import { auth } from "./operations/auth";
import { consoleCalls } from "./operations/console";
import { monitors } from "./operations/monitors";
import { notifications } from "./operations/notifications";
import { status } from "./operations/status";
import { transfer } from "./operations/transfer";
import { users } from "./operations/users";

/** Every part of the API, in the order in which it is read. */
export const PARTS: readonly Part[] = [auth, users, monitors, agents, notifications, status, transfer, consoleCalls];
