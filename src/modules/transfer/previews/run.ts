/** The state of an import while its parts are written. */
import type { Deps } from "../../../core/deps";
import type { StoredScope } from "../../../shared/accounts/key-scopes";
import type { Owner, TransferPart } from "../part";
import type { Draft, Item } from "../sources/source";
import type { Known } from "./known";
import type { Result } from "./report";

export type ApplyOptions = {
  isTrial: boolean;
  /** Ids at the source of objects that are left out. */
  skip: ReadonlySet<string>;
  /** Whether every monitor arrives paused. */
  paused: boolean;
  /** The scopes of the credential: channels and the commands of servers need their own. */
  scopes: readonly StoredScope[];
};

export type Parts = readonly TransferPart[];
export type Run = {
  deps: Deps;
  parts: Parts;
  owner: Owner;
  draft: Draft;
  options: ApplyOptions;
  known: ReadonlyMap<string, Known>;
  /** The ids here of servers from earlier imports that have never reported. */
  unreported: ReadonlySet<number>;
  /** The id here of each id in the file, by part. */
  ids: Map<string, number>;
  results: Map<Item, Result>;
};

export const keyOf = (part: string, id: number | string): string => `${part} ${id}`;
