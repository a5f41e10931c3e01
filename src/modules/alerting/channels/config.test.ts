import { describe, expect, test } from "bun:test";
import {
  type ChannelConfig,
  configProblems,
  maskedConfig,
  secretsIn,
  storedConfig,
} from "../../../shared/channel-fields";
import { feishu } from "./kinds/chat/feishu";
import { telegram } from "./kinds/chat/telegram";
import { resend } from "./kinds/mail/resend";
import { webhook } from "./kinds/webhook";

const token = `123456789:${"A".repeat(35)}`;
const mail = { apiKey: "re_1", from: "alerts@example.com", to: "alice@example.com" };
const problemsIn = {
  telegram: (config: ChannelConfig, shown?: ChannelConfig) => configProblems(telegram.fields, config, shown),
  resend: (config: ChannelConfig, shown?: ChannelConfig) => configProblems(resend.fields, config, shown),
  webhook: (config: ChannelConfig, shown?: ChannelConfig) => configProblems(webhook.fields, config, shown),
};

describe("Telegram", () => {
  test("needs a token in its form and a chat", () => {
    expect(problemsIn.telegram({ botToken: "", chatId: "" })).toEqual({ botToken: "required", chatId: "required" });
    for (const botToken of ["abc", "123456789", `12:${"A".repeat(29)}`, `12:${"A".repeat(29)}!`])
      expect(problemsIn.telegram({ botToken, chatId: "7" })).toEqual({ botToken: "invalid" });
    expect(problemsIn.telegram({ botToken: token, chatId: "7" })).toEqual({});
  });
});

describe("Resend", () => {
  test("needs a key, a sender and recipients", () => {
    const missing = { apiKey: "required", from: "required", to: "required" } as const;
    expect(problemsIn.resend({ apiKey: "", from: "", to: " , " })).toEqual(missing);
    expect(problemsIn.resend({ ...mail, to: "alice@example.com, bob@example.com" })).toEqual({});
    expect(problemsIn.resend({ ...mail, to: "alice@example.com, bob" })).toEqual({ to: "invalid" });
  });

  test.each([
    ["alerts@example.com", undefined],
    ["Wakeful <alerts@example.com>", undefined],
    ["Wakeful", "invalid"],
    ["<alerts@example.com>", "invalid"],
    ["Wakeful alerts@example.com", "invalid"],
    ["Wakeful <alerts>", "invalid"],
    ["A\nBcc: x <alerts@example.com>", "invalid"],
    [`${"A".repeat(201)} <alerts@example.com>`, "invalid"],
  ] as const)("with the sender %p has the problem %p", (from, problem) => {
    expect(problemsIn.resend({ ...mail, from }).from).toBe(problem);
  });

  test("has the same bounds for every text on the page and on the server", () => {
    for (const [name, limit] of [
      ["apiKey", 200],
      ["from", 500],
      ["to", 2000],
    ] as const)
      expect(problemsIn.resend({ ...mail, [name]: "x".repeat(limit + 1) })).toEqual({ [name]: "too_long" });
  });
});

describe("a webhook", () => {
  const url = "https://hooks.example/wakeful?x=1";

  test.each([
    ["", "required"],
    ["https://hooks.example", undefined],
    ["HTTP://127.0.0.1:8080/a?b#c", undefined],
    ["http://[::1]/", undefined],
    ["ftp://hooks.example/", "invalid"],
    ["hooks.example/x", "invalid"],
    ["https:hooks.example", "invalid"],
    ["https:///x", "invalid"],
    ["https://bob:secret@hooks.example/", "invalid"],
    ["https://bob@hooks.example/", "invalid"],
    ["https://hooks.example/a b", "invalid"],
    ["https://hooks.example/a\nb", "invalid"],
    ["http://[::1", "invalid"],
    ["javascript:alert(1)", "invalid"],
    [`https://hooks.example/${"x".repeat(2000)}`, "too_long"],
  ] as const)("with the URL %p has the problem %p", (text, problem) => {
    expect(problemsIn.webhook({ url: text }).url).toBe(problem);
  });

  test.each([
    ["Authorization: Bearer abc", undefined],
    ["Authorization: Bearer abc\r\nX-Team: ops\n\n", undefined],
    ["X-Empty:", "invalid"],
    ["no colon", "invalid"],
    [": value", "invalid"],
    ["X-A: 1\rX-B: 2", "invalid"],
    ["X-A: 1\u0000", "invalid"],
    ["X-A: ключ", "invalid"],
    ["X A: 1", "invalid"],
    ["X-A: 1\nx-a: 2", "invalid"],
    ["Host: other.example", "invalid"],
    ["content-length: 1", "invalid"],
    ["Transfer-Encoding: chunked", "invalid"],
    ["Content-Type: text/plain", "invalid"],
    ["X-Wakeful-Signature: t=1", "invalid"],
    ["X-A: ••••", "invalid"],
    [Array.from({ length: 21 }, (_, index) => `X-${index}: 1`).join("\n"), "invalid"],
  ] as const)("with the headers %p has the problem %p", (headers, problem) => {
    expect(problemsIn.webhook({ url, headers }).headers).toBe(problem);
  });

  test.each([
    ["", undefined],
    ["12345678", undefined],
    ["1234567", "invalid"],
    ["a secret", "invalid"],
    ["••••abcd", "invalid"],
  ] as const)("with the signing secret %p has the problem %p", (secret, problem) => {
    expect(problemsIn.webhook({ url, secret }).secret).toBe(problem);
  });
});

describe("a stored secret", () => {
  const stored = {
    url: "https://hooks.example/a",
    headers: "Authorization: Bearer 0123456789\nX-Team: ops",
    secret: "0123456789abcdef",
  };
  const shown = maskedConfig(webhook.fields, stored);

  test("is shown masked: of headers, each value", () => {
    expect(shown).toEqual({
      url: stored.url,
      headers: "Authorization: ••••6789\nX-Team: ••••",
      secret: "••••cdef",
    });
  });

  test("stays when its mask is sent back, and a mask that was changed is none", () => {
    expect(problemsIn.webhook(shown, shown)).toEqual({});
    expect(storedConfig(webhook.fields, shown, stored)).toEqual(stored);
    const telegramShown = { botToken: "••••wxyz", chatId: "7" };
    expect(problemsIn.telegram(telegramShown, telegramShown)).toEqual({});
    expect(problemsIn.telegram({ botToken: "••••wxy", chatId: "7" }, telegramShown)).toEqual({ botToken: "required" });
    expect(problemsIn.resend({ ...mail, apiKey: "••••12345" }, { ...mail, apiKey: "••••1234" })).toEqual({
      apiKey: "required",
    });
    expect(problemsIn.webhook({ ...shown, secret: "••••cde" }, shown)).toEqual({ secret: "invalid" });
  });

  test("of one header stays while others are added, changed and removed", () => {
    const sent = { ...shown, headers: "X-New: 1\r\nAuthorization: ••••6789" };
    expect(problemsIn.webhook(sent, shown)).toEqual({});
    const headers = "X-New: 1\nAuthorization: Bearer 0123456789";
    expect(storedConfig(webhook.fields, sent, stored)).toEqual({ ...stored, headers });
    // The mask of one header is not the value of another.
    expect(problemsIn.webhook({ ...shown, headers: "X-Other: ••••6789" }, shown)).toEqual({ headers: "invalid" });
  });

  test("that is sent along stays for the same origin only", () => {
    expect(problemsIn.webhook({ ...shown, url: "https://hooks.example/b" }, shown)).toEqual({});
    for (const url of ["https://evil.example/a", "http://hooks.example/a", "https://hooks.example:8443/a"]) {
      expect(problemsIn.webhook({ ...shown, url }, shown)).toEqual({ headers: "invalid" });
      expect(storedConfig(webhook.fields, { ...shown, url }, stored)).toEqual({ url, secret: stored.secret });
    }
  });

  test("that is sent to a secret address stays while the address does", () => {
    const bot = { url: "https://open.feishu.example/hook/0123456789", secret: "signing-secret" };
    const masks = maskedConfig(feishu.fields, bot);
    expect(configProblems(feishu.fields, masks, masks)).toEqual({});
    expect(storedConfig(feishu.fields, masks, bot)).toEqual(bot);
    const moved = { ...masks, url: "https://evil.example/hook" };
    expect(configProblems(feishu.fields, moved, masks)).toEqual({ secret: "invalid" });
    expect(storedConfig(feishu.fields, moved, bot)).toEqual({ url: moved.url });
  });

  test("is found again in what a provider echoes, words of headers included", () => {
    expect(secretsIn(webhook.fields, stored)).toEqual(["Bearer 0123456789", "Bearer", "0123456789", stored.secret]);
  });
});
