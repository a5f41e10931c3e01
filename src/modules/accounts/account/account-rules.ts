import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import commonPasswords from "./common-passwords.txt" with { type: "text" };

/*
 * Rules for new usernames and passwords besides their length. Existing ones are not checked, so that their owners can
 * still sign in.
 */

/** The scripts in everyday use today: Unicode Standard Annex 31, table 5. */
const SCRIPTS = [
  ...["Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati"],
  ...["Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao", "Latin", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"],
  ...["Telugu", "Thaana", "Thai", "Tibetan"],
];
/** Scripts that are written together: the "highly restrictive" level of Unicode Technical Standard 39, section 5.2. */
const MIXTURES = [
  ...SCRIPTS.map((script) => [script]),
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];
const ONE_SCRIPT = MIXTURES.map(
  (scripts) =>
    new RegExp(
      `^[${["Common", "Inherited", ...scripts].map((script) => `\\p{Script_Extensions=${script}}`).join("")}]*$`,
      "u",
    ),
);
/** Letters, numbers, punctuation, marks on a letter (three at most), single spaces, and the symbols of a keyboard. */
const VISIBLE = /^(?:[\p{L}\p{N}\p{P}$+<=>^`|~](?:\p{M}(?!\p{M}{3}))*| (?! ))+$/u;
/** Characters that are invisible. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Whether a name is made of visible characters of one script, so that it does not look like another name. */
export const isUsernameAllowed = (username: string): boolean => {
  const name = username.trim();
  const forms = [name, name.normalize("NFKC")];
  return forms.every(
    (form) => VISIBLE.test(form) && !INVISIBLE.test(form) && ONE_SCRIPT.some((script) => script.test(form)),
  );
};

/** @throws {AppError} username_not_allowed */
export const assertUsernameAllowed = (username: string): void => {
  if (!isUsernameAllowed(username)) throw new AppError("username_not_allowed");
};

const COMMON = new Set(commonPasswords.split("\n").filter((line) => !line.startsWith("#")));

const comparable = (text: string) => text.trim().normalize("NFKC").toLowerCase();

type Owner = { username: string; email?: string | null };

/** The names of the product, the seasons and the months, which people make passwords of by adding digits and signs. */
const NAMES =
  "wakeful spring summer autumn fall winter january february march april may june july august september october november december";

/** A text without the digits and signs around its letters. */
const stemOf = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");

/** The names in the address of an installation: its host, and each part of it but the last. */
const hostNames = (publicUrl: string): string[] => {
  const host = URL.parse(publicUrl)?.hostname ?? "";
  return [host, ...host.split(".").slice(0, -1)].map(stemOf).filter((name) => name.length > 2);
};

/**
 * Whether a password is easy to guess: a common one, one repeated character, the owner's name or email, or a name that
 * digits and signs were added to: of the product, of the host in PUBLIC_URL, of a season or a month.
 */
export const isPasswordWeak = (password: string, { username, email }: Owner, publicUrl = ""): boolean => {
  const form = comparable(password);
  const own = [username, email ?? "", (email ?? "").split("@")[0] ?? ""].map(comparable);
  const names = [...NAMES.split(" "), ...hostNames(publicUrl)];
  return COMMON.has(form) || new Set(form).size < 2 || own.includes(form) || names.includes(stemOf(form));
};

/** @throws {AppError} weak_password */
export const assertPasswordAllowed = ({ config }: Pick<Deps, "config">, password: string, owner: Owner): void => {
  if (isPasswordWeak(password, owner, config.publicUrl)) throw new AppError("weak_password");
};
