import { expect, it } from "bun:test";
import { checkErrorMessage } from "../../shared/check-error";
import { TCP_PRESETS, type TcpPreset } from "../../shared/tcp/presets";
import { PRESETS } from "./presets";

const bytes = (text: string) => Buffer.from(text, "latin1");
const mysqlPacket = (number: number, content: string) =>
  `${String.fromCharCode(content.length & 255, content.length >> 8, 0, number)}${content}`;
const mysqlError = (number: number, code: number) =>
  mysqlPacket(number, `\xff${String.fromCharCode(code & 255, code >> 8)}#08004Too many connections`);
const postgresError = (code: string) => {
  const fields = `SFATAL\0VFATAL\0C${code}\0Msorry, too many clients already\0\0`;
  return `E\0\0\0${String.fromCharCode(4 + fields.length)}${fields}`;
};

/** How the last step of a preset judges an answer. */
const judge = (preset: TcpPreset, answer: string, step = PRESETS[preset].steps.length - 1) => {
  const verdict = PRESETS[preset].steps[step]?.judge?.(bytes(answer));
  return typeof verdict === "object" ? checkErrorMessage(verdict) : verdict;
};

const GREETING = mysqlPacket(0, "\n8.4.3\0\x08\0\0\0abcdefgh\0rest");
const GOOD: [TcpPreset, string][] = [
  ["smtp", "220 mail.example ESMTP Postfix\r\n"],
  ["smtp", "220-mail.example\r\n220 ready\r\n"],
  ["imap", "* OK [CAPABILITY IMAP4rev1] ready\r\n"],
  ["imap", "* PREAUTH ready\r\n"],
  ["pop3", "+OK ready\r\n"],
  ["ssh", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"],
  ["ssh", "SSH-1.99-Cisco-1.25\n"],
  ["ftp", "220 (vsFTPd 3.0.3)\r\n"],
  ["mysql", mysqlPacket(2, "\0\0\0\x02\0\0\0")],
  ["mysql", mysqlPacket(2, "\xfecaching_sha2_password\0salt\0")],
  ["mysql", mysqlError(2, 1045)],
  ["postgres", "R\0\0\0\x17\0\0\0\nSCRAM-SHA-256\0\0"],
  ["postgres", postgresError("28P01")],
  ["postgres", postgresError("3D000")],
  ["redis", "+PONG\r\n"],
  ["redis", "-NOAUTH Authentication required.\r\n"],
  ["mqtt", "\x20\x02\0\0"],
  ["mqtt", "\x20\x02\0\x05"],
];

it("a good answer is recognized however it is split, and never taken for an error before it is complete", () => {
  for (const [preset, answer] of GOOD) {
    expect([preset, judge(preset, answer)]).toEqual([preset, "ok"]);
    for (let length = 1; length < answer.length; length++)
      expect([preset, ["more", "ok"]]).toEqual([
        preset,
        expect.arrayContaining([judge(preset, answer.slice(0, length))]),
      ]);
  }
  expect(judge("mysql", GREETING, 0)).toBe("ok");
  // No user may sign in from this host, which the server says in place of its greeting.
  expect(judge("mysql", mysqlError(0, 1130), 0)).toBe("done");
});

it("an error of the service is named in plain words where it is common, with its code", () => {
  const errors: [TcpPreset, string, string][] = [
    ["smtp", "421 too many connections\r\n", "SMTP server accepts no more connections for now (421)"],
    ["smtp", "554-no service\r\n", "SMTP server refuses connections from here (554)"],
    ["imap", "* BYE too many connections\r\n", "IMAP server answered with the error BYE"],
    [
      "redis",
      "-ERR max number of clients reached\r\n",
      "Redis server takes no more connections (max number of clients)",
    ],
    ["pop3", "-ERR busy\r\n", "POP3 server answered with the error ERR"],
    ["ssh", "Exceeded MaxStartups\r\n", "SSH server has too many connections (MaxStartups)"],
    ["ftp", "530 not allowed\r\n", "FTP server answered with the error 530"],
    ["ftp", "421 too many users\r\n", "FTP server accepts no more connections for now (421)"],
    ["mysql", mysqlError(2, 1040), "MySQL server has too many connections (1040)"],
    ["mysql", mysqlError(2, 1053), "MySQL server is starting up or shutting down (1053)"],
    ["postgres", postgresError("53300"), "PostgreSQL server has too many connections (53300)"],
    ["postgres", postgresError("57P03"), "PostgreSQL server is starting up or shutting down (57P03)"],
    ["postgres", postgresError("XX000"), "PostgreSQL server answered with the error XX000"],
    ["redis", "-LOADING Redis is loading the dataset\r\n", "Redis server is still loading its data (LOADING)"],
    [
      "redis",
      "-DENIED Redis is running in protected mode\r\n",
      "Redis server is in protected mode and refuses other machines (DENIED)",
    ],
    ["redis", "-MISCONF Redis is configured\r\n", "Redis server cannot save its data (MISCONF)"],
    ["redis", "-MASTERDOWN Link with MASTER is down\r\n", "Redis server has lost its primary server (MASTERDOWN)"],
    ["redis", "-BUSY Redis is busy running a script\r\n", "Redis server is busy with a script (BUSY)"],
    ["mqtt", "\x20\x02\0\x03", "MQTT server answered with the error 3"],
  ];
  for (const [preset, answer, text] of errors)
    expect([preset, judge(preset, answer)]).toEqual([preset, `protocol: the ${text}`]);
  expect(judge("mysql", mysqlError(0, 1040), 0)).toBe("protocol: the MySQL server has too many connections (1040)");
  expect(judge("mysql", mysqlError(0, 1129), 0)).toBe(
    "protocol: the MySQL server blocks this address after too many failed connections (1129)",
  );
});

it("no piece of an unknown error gets into a text", () => {
  expect(judge("redis", "-SECRET token\r\n")).toBe("protocol: the answer is not that of a Redis server");
  expect(judge("postgres", postgresError("x\r\n!!"))).toBe("protocol: the answer is not that of a PostgreSQL server");
});

it("the answer of another service is refused as soon as it can be told apart", () => {
  const others = ["HTTP/1.1 400 Bad Request\r\n", "\x15\x03\x01\0\x02\x02\x50", "hello", "\0\0\0\0\0"];
  for (const preset of TCP_PRESETS)
    for (const other of others)
      expect([preset, other, judge(preset, other, 0)]).toEqual([
        preset,
        other,
        expect.stringContaining("protocol: the answer is not that of a"),
      ]);
});

it("a session is ended by a command of the protocol, where it has one", () => {
  const farewell = (preset: TcpPreset, answer: string) => {
    const sent = PRESETS[preset].farewell?.(bytes(answer));
    return sent && Buffer.from(sent as string).toString("latin1");
  };
  expect(farewell("smtp", "220 ready\r\n")).toBe("QUIT\r\n");
  expect(farewell("imap", "* OK\r\n")).toBe("a1 LOGOUT\r\n");
  expect(farewell("ssh", "SSH-2.0-x\r\n")).toBeUndefined();
  expect(farewell("mqtt", "\x20\x02\0\0")).toBe("\xe0\0");
  expect(farewell("mqtt", "\x20\x02\0\x05")).toBeUndefined();
  expect(farewell("mysql", mysqlError(2, 1045))).toBeUndefined();
  // COM_QUIT, and an empty password.
  expect(farewell("mysql", mysqlPacket(2, "\0\0\0\x02\0\0\0"))).toBe("\x01\0\0\0\x01");
  expect(farewell("mysql", mysqlPacket(2, "\xfecaching_sha2_password\0salt\0"))).toBe("\x01\0\0\x03\0");
});
