import { expect, test } from "bun:test";
import { channelProblems, configProblems } from "./channel-problems";

const token = `123456789:${"A".repeat(35)}`;
const telegram = (config: Record<string, string>) => configProblems({ type: "telegram", config });
const resend = (config: Record<string, string>) => configProblems({ type: "resend", config });
const mail = { apiKey: "re_1", from: "alerts@example.com", to: "alice@example.com" };

test("a name is asked for", () => {
  const form = { type: "telegram", enabled: true, config: { botToken: token, chatId: "7" } } as const;
  expect(channelProblems({ ...form, name: "" })).toEqual({ name: "name_required" });
  expect(channelProblems({ ...form, name: "On-call" })).toEqual({});
});

test("Telegram needs a token in its form and a chat", () => {
  expect(telegram({ botToken: "", chatId: "" })).toEqual({
    botToken: "bot_token_required",
    chatId: "chat_id_required",
  });
  for (const botToken of ["abc", "123456789", `12:${"A".repeat(29)}`, `12:${"A".repeat(29)}!`])
    expect(telegram({ botToken, chatId: "7" })).toEqual({ botToken: "bot_token_invalid" });
  expect(telegram({ botToken: token, chatId: "7" })).toEqual({});
});

test("Resend needs a key, a sender and recipients", () => {
  expect(resend({ apiKey: "", from: "", to: " , " })).toEqual({
    apiKey: "api_key_required",
    from: "sender_required",
    to: "recipient_required",
  });
  expect(resend({ ...mail, to: "alice@example.com, bob@example.com" })).toEqual({});
  expect(resend({ ...mail, to: "alice@example.com, bob" })).toEqual({ to: "recipient_invalid" });
});

test.each([
  ["alerts@example.com", undefined],
  ["Wakeful <alerts@example.com>", undefined],
  ["Wakeful", "sender_invalid"],
  ["<alerts@example.com>", "sender_invalid"],
  ["Wakeful alerts@example.com", "sender_invalid"],
  ["Wakeful <alerts>", "sender_invalid"],
])("the sender %p gives %p", (from, problem) => {
  expect(resend({ ...mail, from }).from as string | undefined).toBe(problem);
});

test("a stored secret may stay as masked, but a mask typed into is no secret", () => {
  const stored = { botToken: "••••wxyz", apiKey: "••••1234" };
  const check = (botToken: string) => configProblems({ type: "telegram", config: { botToken, chatId: "7" } }, stored);
  expect(check("••••wxyz")).toEqual({});
  expect(check("••••wxy")).toEqual({ botToken: "bot_token_required" });
  expect(configProblems({ type: "resend", config: { ...mail, apiKey: "••••1234" } }, stored)).toEqual({});
  expect(configProblems({ type: "resend", config: { ...mail, apiKey: "••••12345" } }, stored)).toEqual({
    apiKey: "api_key_required",
  });
});
