import { timingSafeEqual } from "node:crypto";
import type { Static } from "@sinclair/typebox";
import { assertNotRefused, claimAttempt } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError, describeError } from "../../../core/errors";
import { hashCode, randomCode } from "../../../core/secrets";
import { getOrCreateSetting, readSetting, writeSetting } from "../../../db/app-settings";
import { hostnameOf, isOwnHost } from "../../../lib/host";
import { boolean, object } from "../../../server/answers";
import { type Author, recordChange } from "../audit/record";
import { isInRanges, networksOf, type PeerSource, peerAddress } from "../client-address";
import { registrationLimits, setupCodeLimits } from "../sign-in/limits";
import { byThemselves, createAccount, hasUsers, type NewAccount, type User } from "./service";

/*
 * Who may register: anyone while registration is open, and for the first account a local caller or one with the setup
 * code. ADMIN_USERNAME and ADMIN_PASSWORD create the first account without a call.
 */

/** Loopback, private and link-local addresses. */
const LOCAL_RANGES = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
];

/**
 * Headers that proxies and their providers add: a request with one of them does not come from its peer. If a header is
 * taken for one of these by mistake, a local caller has to enter the setup code.
 */
const FORWARDED =
  /(^|-)(forwarded|via|proxy|cdn)(-|$)|(client|cluster|connecting|originating|real|remote|source|true|user)-?(ip|addr)|^x-(amz|amzn|appengine|arr|azure|cloud|envoy|fd|fly|nginx|original|vercel)-|^(cf|fastly|fly)-/i;

const hostOf = (request: Request): string => request.headers.get("host") ?? URL.parse(request.url)?.host ?? "";

/**
 * Whether a caller may create the first account without the setup code: the connection comes from this machine or a
 * private network, through no proxy, and under an IP address, localhost or the host of PUBLIC_URL.
 */
export const isLocalCaller = ({ config }: Pick<Deps, "config">, request: Request, server: PeerSource): boolean => {
  if (!isInRanges(LOCAL_RANGES, peerAddress(request, server))) return false;
  if ([...request.headers.keys()].some((name) => FORWARDED.test(name))) return false;
  const origin = request.headers.get("origin");
  const hosts = [hostOf(request), ...(origin === null ? [] : [URL.parse(origin)?.host ?? ""])];
  return hosts.every((host) => {
    const hostname = hostnameOf(host);
    return hostname !== null && isOwnHost(hostname, config.publicUrl);
  });
};

/** Whether the next account becomes the administrator: there is no user, and ADMIN_* names none. */
const isUnclaimed = async (deps: Pick<Deps, "db" | "config">): Promise<boolean> =>
  !deps.config.admin && !(await hasUsers(deps));

/** The setup code of this installation, generated on first use and shared by all instances on a database. */
export const setupCode = ({ db }: Pick<Deps, "db">): Promise<string> =>
  getOrCreateSetting(db, "setup_code", randomCode(4));

const pairOf = (a: string, b: string): [Buffer, Buffer] => [Buffer.from(a), Buffer.from(b)];

/** @throws {AppError} setup_code_required, setup_code_wrong, rate_limited */
const assertSetupCode = async (deps: Deps, given: string, address: string): Promise<void> => {
  if (!given) throw new AppError("setup_code_required");
  const limits = setupCodeLimits(networksOf(address).all);
  assertNotRefused(deps, limits);
  await claimAttempt(deps, limits);
  const expected = await readSetting(deps.db, "setup_code");
  const right = expected !== undefined && timingSafeEqual(...pairOf(hashCode(given), hashCode(expected)));
  if (!right) throw new AppError("setup_code_wrong");
};

/** Whether REGISTRATION=closed keeps registration closed, regardless of the administrators' setting. */
const isFixed = ({ config }: Pick<Deps, "config">) => config.registration === "closed";

export const RegistrationState = object({
  open: boolean("Whether new accounts can be registered.", true),
  fixed: boolean("Whether REGISTRATION=closed in the environment keeps registration closed.", false),
  first: boolean(
    "Whether the next account becomes the administrator. True only for callers who need no setup code for it.",
    false,
  ),
});

/**
 * Whether registration is open, whether the environment fixes that, and whether the next account is the first one. The
 * latter is true only for callers who may create it without the setup code.
 */
export const registrationState = async (deps: Deps, local: boolean): Promise<Static<typeof RegistrationState>> => {
  const fixed = isFixed(deps);
  const open = !fixed && (await readSetting(deps.db, "registration")) !== "closed";
  return { open, fixed, first: open && local && (await isUnclaimed(deps)) };
};

const closed = () => new AppError("registration_closed");

type Caller = { address: string; local: boolean; setupCode: string };

/**
 * Creates an account for a caller without a session. The first account becomes the administrator; callers who are not
 * local need the setup code for it, and with REGISTRATION=closed all callers do.
 * @throws {AppError} registration_closed, setup_code_required, setup_code_wrong, username_taken, email_taken, rate_limited
 */
export const register = async (
  deps: Deps,
  account: NewAccount,
  { address, local, setupCode }: Caller,
): Promise<User> => {
  const { open } = await registrationState(deps, local);
  const claims = await isUnclaimed(deps);
  if (!open && !(claims && setupCode)) throw closed();
  if (claims && !(open && local)) await assertSetupCode(deps, setupCode, address);
  const { all, widest } = networksOf(address);
  const limits = registrationLimits(all);
  assertNotRefused(deps, limits);
  const requested = { network: widest, limits };
  return createAccount(deps, { ...account, role: claims ? "first" : "user" }, requested, byThemselves(address));
};

/**
 * Opens or closes registration.
 * @throws {AppError} registration_fixed when REGISTRATION=closed keeps it closed
 */
export const setRegistration = async (
  deps: Pick<Deps, "db" | "config" | "clock" | "log">,
  open: boolean,
  author: Author,
): Promise<void> => {
  if (open && isFixed(deps)) throw new AppError("registration_fixed");
  const after = open ? "open" : "closed";
  await deps.db.transact(async (tx) => {
    const before = (await readSetting(tx, "registration")) ?? "open";
    await writeSetting(tx, "registration", after);
    await recordChange({ ...deps, db: tx }, author, {
      ...{ action: "changed", object: { type: "settings", id: null, name: "" }, teamId: null },
      ...{ before: { registration: before }, after: { registration: after } },
      event: { kind: "registration_switched", detail: after },
    });
  });
};

/**
 * Creates the administrator of ADMIN_USERNAME and ADMIN_PASSWORD while there is no user.
 * @throws {Error} if that fails; the message says how to correct it
 */
export const createAdministrator = async (deps: Deps): Promise<void> => {
  const { admin } = deps.config;
  if (!admin || (await hasUsers(deps))) return;
  try {
    await createAccount(deps, { ...admin, role: "admin" });
  } catch (error) {
    // Another instance that started at the same moment has created it.
    if (await hasUsers(deps).catch(() => false)) return;
    const reason = error instanceof AppError ? error.message : describeError(error);
    throw new Error(
      `The administrator ${admin.username} could not be created: ${reason} Correct ADMIN_USERNAME or ADMIN_PASSWORD, or what is named here, and start again.`,
    );
  }
};

/** The entry of the start log while there is no account: where to create it, and the setup code for remote callers. */
export const firstAccountNotice = async (
  deps: Pick<Deps, "db" | "config">,
  address: string,
): Promise<{ open: string; setup_code: string } | null> => {
  if (!(await isUnclaimed(deps))) return null;
  const code = await setupCode(deps);
  return { open: `${(deps.config.publicUrl || address).replace(/\/$/, "")}/register#${code}`, setup_code: code };
};
