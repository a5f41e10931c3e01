import { expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../shared/limits";
import { codeAt, judgeCode, randomTotpSecret, toBase32, totpUri } from "./totp";

const KEY = Buffer.from("12345678901234567890");
const STEP = 30 * SECOND;

it("codes are those of the test vectors of RFC 6238", () => {
  const vectors = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
  };
  for (const [seconds, code] of Object.entries(vectors)) expect(codeAt(KEY, Number(seconds) * SECOND)).toBe(code);
});

it("codes of random secrets are those of oathtool", () => {
  for (const time of [0, 1_767_225_600_000, 4_102_444_800_000]) {
    const secret = randomTotpSecret();
    const { stdout } = Bun.spawnSync([
      "oathtool",
      ...["--totp", "--base32", `--now=@${time / SECOND}`, toBase32(secret)],
    ]);
    expect(codeAt(secret, time)).toBe(stdout.toString().trim());
  }
});

it("a code is accepted one step early and one late, and its step is told", () => {
  const now = 1000 * STEP + 7 * SECOND;
  for (const steps of [-1, 0, 1]) {
    const judged = judgeCode(KEY, codeAt(KEY, now + steps * STEP), { now, lastStep: 0 });
    expect(judged).toEqual({ step: 1000 + steps });
  }
});

it("a code of the last accepted step, or of an earlier one, was used", () => {
  const now = 1000 * STEP;
  expect(judgeCode(KEY, codeAt(KEY, now), { now, lastStep: 1000 })).toBe("code_used");
  expect(judgeCode(KEY, codeAt(KEY, now - STEP), { now, lastStep: 1000 })).toBe("code_used");
  expect(judgeCode(KEY, codeAt(KEY, now + STEP), { now, lastStep: 1000 })).toEqual({ step: 1001 });
});

it("a code that is up to five minutes off says that a clock is wrong, and an older one nothing", () => {
  const now = 1000 * STEP;
  const judge = (off: number) => judgeCode(KEY, codeAt(KEY, now + off), { now, lastStep: 0 });
  for (const off of [2 * MINUTE, -2 * MINUTE, MINUTE, 5 * MINUTE, -5 * MINUTE]) expect(judge(off)).toBe("clock_off");
  for (const off of [6 * MINUTE, -6 * MINUTE]) expect(judge(off)).toBe("wrong_code");
});

it("spaces and digits of full width are read, and anything else is a wrong code", () => {
  const now = 1_111_111_111 * SECOND;
  for (const typed of ["050471", " 050 471 ", "０５０４７１"])
    expect(judgeCode(KEY, typed, { now, lastStep: 0 })).toEqual({ step: 37_037_037 });
  for (const typed of ["", "50471", "0504711", "05047é", "-50471", "abcdef", "٠٥٠٤٧١"])
    expect(judgeCode(KEY, typed, { now, lastStep: 0 })).toBe("wrong_code");
});

it("a secret is 160 random bits, and 32 characters of base32", () => {
  expect(toBase32(KEY)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  const secrets = new Set(Array.from({ length: 100 }, () => toBase32(randomTotpSecret())));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it("the address names the product, the account and the host, and holds any username", () => {
  expect(totpUri(KEY, "alice", "watch.example")).toBe(
    "otpauth://totp/Wakeful:alice%20(watch.example)?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Wakeful",
  );
  const uri = new URL(totpUri(KEY, "名?&/:".repeat(12), ""));
  expect(decodeURIComponent(uri.pathname)).toBe(`/Wakeful:${"名?&/:".repeat(6)}`);
  expect([...uri.searchParams.keys()]).toEqual(["secret", "issuer"]);
});
