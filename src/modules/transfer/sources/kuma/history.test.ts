import { expect, it } from "bun:test";
import type { ForeignDatabase } from "../sqlite";
import { readHistory } from "./history";

it("a table whose row ids do not ascend, as in a damaged database, is refused instead of being read for ever", async () => {
  const columns = ["monitor_id", "status", "time", "ping", "important", "msg"];
  const database: ForeignDatabase = {
    columnsOf: (table) => (table === "heartbeat" ? columns : []),
    query: (text) => (text.includes("max(id)") ? [{ last: 7 }] : []),
    rows: () => [],
    close: () => {},
  };
  const read = async () => {
    for await (const _ of readHistory(database, new Set([1])));
  };
  expect(read()).rejects.toThrow("its history is damaged");
});
