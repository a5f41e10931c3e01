import { expect, it } from "bun:test";
import { parseDrives, parseNetstat } from "./windows";

it("parses netstat of Windows in any language", () => {
  const english = `Interface Statistics\r
\r
                           Received            Sent\r
\r
Bytes                    3284512374       182736455\r
Unicast packets             2384756         1283745\r
Errors                            0               0\r
`;
  const german = english.replace("Bytes ", "Bytes ").replace("Received            Sent", "Empfangen       Gesendet");
  const chinese = english.replace("Bytes", "字节 ").replace("Received            Sent", "接收的        发送的");
  for (const text of [english, german, chinese])
    expect(parseNetstat(text)).toEqual({ all: { rx: 3_284_512_374, tx: 182_736_455 } });
  expect(parseNetstat("")).toEqual({});
});

it("parses drive letters of Windows", () => {
  expect(parseDrives("Microsoft Windows Server 2025 Standard\r\nC:\r\nD:\r\n")).toEqual(["C", "D"]);
  expect(parseDrives("")).toEqual([]);
});
