import { expect, it } from "bun:test";
import type { ForeignDatabase } from "../sqlite";
import { readHistory } from "./history";

it("a table whose row ids do not ascend, as in a damaged database, is refused instead of being read for ever", () => {
  const columns = ["monitor_id", "status", "time", "ping", "important", "msg"];
  const database: ForeignDatabase = {
    columnsOf: (table) => (table === "heartbeat" ? columns : []),
    query: (text) => (text.includes("max(id)") ? [{ last: 7 }] : []),
    rows: () => [],
    close: () => {},
  };
  expect(() => [...readHistory(database, new Set([1]))]).toThrow("its history is damaged");
});
