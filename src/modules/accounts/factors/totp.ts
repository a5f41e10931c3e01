import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE, SECOND } from "../../../shared/limits";

/*
 * One-time codes of an authenticator app (RFC 6238) with the parameters that every app supports: SHA-1, 6 digits, 30 seconds.
 * docs/decisions/second-factors.md says why no library does it.
 */

const STEP = 30 * SECOND;
const DIGITS = 6;
/** 160 bits, as RFC 4226 recommends: the length of the hash. */
const SECRET_BYTES = 20;
/** How many steps early or late a code is accepted. */
const TOLERATED = 1;
/** How many steps early or late a code is recognized, and refused because a clock is wrong. */
const RECOGNIZED = (5 * MINUTE) / STEP;

export const randomTotpSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** The code of a step: HOTP of RFC 4226, section 5.3. */
const codeOf = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = hash.readUInt8(hash.length - 1) & 0xf;
  const number = (hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
};

/** The code at a time in milliseconds. */
export const codeAt = (secret: Uint8Array, time: number): string => codeOf(secret, Math.floor(time / STEP));

/**
 * The step of a code that is right now, if it is later than the last accepted step. Otherwise the reason of a refusal: the code was
 * used before, is right at another time within five minutes, or is wrong.
 */
export const judgeCode = (
  secret: Uint8Array,
  typed: string,
  { now, lastStep }: { now: number; lastStep: number },
): { step: number } | "code_used" | "clock_off" | "wrong_code" => {
  const code = typed.normalize("NFKC").replace(/\s/g, "");
  if (!/^\d{6}$/.test(code)) return "wrong_code";
  const current = Math.floor(now / STEP);
  const steps = Array.from({ length: 2 * RECOGNIZED + 1 }, (_, index) => current - RECOGNIZED + index).filter((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)),
  );
  const accepted = steps.filter((step) => Math.abs(step - current) <= TOLERATED);
  const step = accepted.find((candidate) => candidate > lastStep);
  if (step !== undefined) return { step };
  if (accepted.length > 0) return "code_used";
  return steps.length > 0 ? "clock_off" : "wrong_code";
};

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A secret as people type it into an app: base32 of RFC 4648. 160 bits need no padding. */
export const toBase32 = (secret: Uint8Array): string => {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((group) => BASE32[Number.parseInt(group, 2)]).join("");
};

/** Characters of a username in the address: apps show it, and a longer address makes a code that cameras read badly. */
const LABEL = 30;

/** The address of a secret, which apps read from a QR code. `host` tells several installations apart. */
export const totpUri = (secret: Uint8Array, username: string, host: string): string => {
  const account = [...username].slice(0, LABEL).join("") + (host && ` (${host})`);
  const query = new URLSearchParams({ secret: toBase32(secret), issuer: "Wakeful" });
  return `otpauth://totp/Wakeful:${encodeURIComponent(account)}?${query}`;
};
