import { expect, test } from "bun:test";
import { readPasted } from "./pasted";

test.each([
  ["redis://cache.example", "redis://cache.example", "tcp", { host: "cache.example", port: 6379, preset: "redis" }],
  [
    "postgres://bob:secret@db.example:6432/shop",
    "postgres://db.example:6432",
    "tcp",
    { port: 6432, preset: "postgres" },
  ],
  ["imaps://[2001:DB8::1]", "imaps://[2001:db8::1]", "tcp", { host: "[2001:db8::1]", port: 993, tls: "direct" }],
  [
    "SFTP://Files.example",
    "sftp://files.example",
    "tcp",
    { host: "files.example", port: 22, preset: "ssh", tls: "no" },
  ],
  ["tcp://db.example:80", "tcp://db.example:80", "tcp", { host: "db.example", port: 80 }],
  ["tls://mail.example", "tls://mail.example", "tls", { host: "mail.example", port: 443 }],
  ["ping://router.lan", "ping://router.lan", "ping", { host: "router.lan" }],
  ["wss://example.com/live?room=1", "wss://example.com/live", "websocket", { url: "wss://example.com/live?room=1" }],
  ["grpcs://api.example:50051/shop", "grpcs://api.example:50051/shop", "grpc", { url: "https://api.example:50051" }],
  ["dns://example.com", "dns://example.com", "dns", { name: "example.com", type: "A" }],
  ["dns://9.9.9.9/example.com?type=mx", "dns://9.9.9.9/example.com", "dns", { server: "9.9.9.9", type: "MX" }],
])("the pasted address %s is a monitor named %s of the kind %s", (address, name, kind, config) => {
  expect(readPasted(address)).toMatchObject({ name, fields: { kind, config } });
});

test.each([
  "example.com:8080",
  "tcp://db.example",
  "mysqls://db.example",
  "constructor://a",
  "redis://",
  "redis://a b",
  "://a",
])("the text %s is no address of a monitor", (text) => {
  expect(readPasted(text)).toBeNull();
});
