import { expect, it, setDefaultTimeout } from "bun:test";
import { hashPassword, isPassword } from "./passwords";

// Hashing takes seconds on a machine that is busy.
setDefaultTimeout(120_000);

it("a password is recognized by its argon2id hash, and never without one", async () => {
  const hash = await hashPassword("a good password");
  expect(hash).toStartWith("$argon2id$v=19$m=65536,t=2,p=1$");
  expect(await isPassword("a good password", hash)).toBe(true);
  expect(await isPassword("A good password", hash)).toBe(false);
  expect(await isPassword("a good password", undefined)).toBe(false);
});
