/**
 * Who checks which monitor, and when. A monitor that is due is claimed, so that its checks never overlap. On PostgreSQL
 * claims are rows that all instances share (stored-claims.ts). SQLite has one process, which holds its claims and due
 * times in memory (memory-claims.ts).
 */
import type { Result } from "../record";

/** Milliseconds that a claim looks ahead; each claimed check starts at its own due time. */
export const LOOKAHEAD = 1000;

/** Monitors whose check ended without a result are due again within this time, spread by their ids. Milliseconds. */
export const RELEASED_WITHIN = 10_000;

/** A monitor that this instance has claimed. */
export type Claim = {
  monitorId: number;
  dueAt: number;
  /** The next due time; infinite for a paused monitor, which is checked manually. */
  nextCheckAt: number;
  revision: number;
  status: "up" | "down" | "pending";
  /** Which of its last answers were slow: slow.ts. */
  slowBits: number;
};

export type Claims = {
  /** Whether other instances may claim what this one has not written yet. */
  shared: boolean;

  /** Runs work that writes results or claims, one at a time. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>;

  /**
   * Writes results and claims up to `limit` monitors that are due within LOOKAHEAD: all of it, or none. Call it
   * exclusively.
   */
  writeAndClaim: (results: readonly Result[], limit: number) => Promise<Claim[]>;

  /**
   * Claims one monitor, paused or not, for a check outside the schedule. It counts as the scheduled check if that is
   * due; otherwise the next due time stays the same. Call it exclusively.
   * @throws {AppError} not_found, check_in_progress when another instance is checking it
   */
  claimOne: (monitorId: number) => Promise<Claim>;

  /**
   * Claims the given monitors that are active and claimed by no other instance, like `claimOne`, and leaves out the
   * others. Call it exclusively, for monitors without a check in flight.
   */
  claimIdle: (monitorIds: readonly number[]) => Promise<Claim[]>;

  /**
   * Releases claims of checks without a result; the next due times stay the same. With `isSoon` the monitors are due again
   * within RELEASED_WITHIN, because nothing is known of them.
   */
  release: (monitorIds: number[], isSoon?: boolean) => Promise<void>;

  /** Tells other instances that this one is alive. */
  beat: () => Promise<void>;

  /** Applies changes of monitors. Resets due times that are too far in the future after the clock was set back. */
  followClock: () => Promise<void>;

  /** Releases all claims of this instance. */
  signOff: () => Promise<void>;
};
