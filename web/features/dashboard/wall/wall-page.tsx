import { useSearch } from "wouter";
import Board from "./board";

/** The wall: `/wall?key=…` for a television without a session, and the dashboard with `?wall` for signed-in users. */
export default function WallPage() {
  const query = new URLSearchParams(useSearch());
  return <Board wallKey={query.get("key")} tags={query.getAll("tag")} />;
}
