import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { MANY_ADDRESSES, type SecurityEventKind } from "../../../src/shared/security-events";
import { startI18n } from "../../i18n";
import { addressOf, detailOf, type Entry, foldEntries } from "./api";

localStorage.setItem("i18nextLng", "en-US");
await startI18n();
const shown = (kind: SecurityEventKind, detail: string) => detailOf({ kind, detail }, i18next.t);

test("roles, scopes and switches in the security log are translated", async () => {
  const all = () => [
    shown("role_changed", "bob: user → admin"),
    shown("user_created", "bob (user)"),
    shown("key_created", "backup (nightly) (read)"),
    shown("member_changed", "Shop, bob: viewer → owner"),
    shown("registration_switched", "closed"),
    addressOf({ address: MANY_ADDRESSES }, i18next.t),
  ];
  await i18next.changeLanguage("zh-CN");
  expect(all()).toEqual([
    "bob：普通用户 → 管理员",
    "bob（普通用户）",
    "backup (nightly)（只读）",
    "Shop, bob：只读 → 所有者",
    "关闭",
    "多个地址",
  ]);
  await i18next.changeLanguage("en-US");
  expect(all()).toEqual([
    "bob: User → Administrator",
    "bob (User)",
    "backup (nightly) (Read)",
    "Shop, bob: Viewer → Owner",
    "Closed",
    "Many addresses",
  ]);
});

test("the security log counts refusals, numbers tokens and shows names and unknown formats unchanged", () => {
  expect(shown("sign_in_refused", "")).toBe("1 time");
  expect(shown("sign_in_refused", "41")).toBe("41 times");
  expect(shown("enrollment_token_deleted", "12")).toBe("#12");
  expect(shown("user_deleted", "temp (user)")).toBe("temp (user)");
  expect(shown("role_changed", "bob: user → owner")).toBe("bob: user → owner");
  expect(addressOf({ address: "192.0.2.1" }, i18next.t)).toBe("192.0.2.1");
});

test("equal entries that follow each other are one group, and any difference but the time begins another", () => {
  const entry = (id: number, part: Partial<Entry> = {}): Entry => ({
    ...{ id, at: "2026-01-15T12:00:00.000Z", kind: "signed_in", user_id: 1, username: "bob" },
    ...{ address: "192.0.2.1", detail: "" },
    ...part,
  });
  const entries = [
    ...[entry(9), entry(8, { at: "2026-01-15T11:00:00.000Z" }), entry(7, { username: "alice" }), entry(6)],
    ...[entry(5, { address: "192.0.2.2" }), entry(4, { address: "192.0.2.2", detail: "x" })],
    entry(3, { address: "192.0.2.2", detail: "x", kind: "key_created" }),
  ];
  expect(foldEntries(entries).map((group) => group.map(({ id }) => id))).toEqual([[9, 8], [7], [6], [5], [4], [3]]);
});
