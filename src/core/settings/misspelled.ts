import { type Environment, SECRET_SETTINGS } from "./environment";

/** Variables that are reported at one start. */
const MOST = 10;
const PREFIX = "WAKEFUL_";
/** Variables of the agent and of `wakeful run`. */
const AGENT =
  "TOKEN TOKEN_FILE STATE SERVER INTERVAL NAME CONTAINERS RELEASES PING_TOKEN NETWORK_FILESYSTEMS INTERFACES WITHOUT ROOT"
    .split(" ")
    .map((name) => PREFIX + name);
/** Kubernetes sets these in every pod beside a service of the name `wakeful`. */
const KUBERNETES = /^WAKEFUL_(SERVICE|PORT)_/;
/** One letter more, less or another turns a short name into a common other one: PORT, POST, HOST. */
const SHORT = 6;

const hasSwapped = (name: string, setting: string): boolean => {
  const at = [...name].findIndex((letter, index) => letter !== setting[index]);
  const swapped = name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2);
  return at >= 0 && swapped === setting;
};

/** Whether two names differ by one letter that is missing, added or another, or by two that are swapped. */
const isNear = (name: string, setting: string): boolean => {
  if (hasSwapped(name, setting)) return true;
  if (setting.length < SHORT || Math.abs(name.length - setting.length) > 1) return false;
  const at = [...setting].findIndex((letter, index) => letter !== name[index]);
  const [one, other] = [name.slice(at < 0 ? setting.length : at), setting.slice(at < 0 ? setting.length : at)];
  return one.slice(1) === other || one === other.slice(1) || one.slice(1) === other.slice(1);
};

/**
 * The variables of an environment that are no settings but nearly have the name of one, or begin with WAKEFUL_, with that
 * setting or an empty text; never with a value.
 */
export const misspelledSettings = (env: Environment, names: readonly string[]): { name: string; setting: string }[] => {
  const settings = [...names, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];
  const settingNames = new Set([...settings, ...AGENT]);
  return Object.keys(env)
    .filter((name) => !settingNames.has(name) && !KUBERNETES.test(name))
    .flatMap((name) => {
      const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
      const setting = settings.find((one) => one === bare) ?? settings.find((one) => isNear(bare, one));
      return setting || bare !== name ? [{ name: name.slice(0, 100), setting: setting ?? "" }] : [];
    })
    .slice(0, MOST);
};
