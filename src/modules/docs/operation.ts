import type { ErrorCode } from "../../core/errors";
import type { Access } from "../../server/describe";
import type { Schema } from "./schema";

/** What a call answers when all is well. */
export type Answer = {
  /** 200 unless said otherwise. */
  status?: number;
  /** JSON unless said otherwise; without a schema and an example the answer is empty. */
  type?: string | readonly string[];
  schema?: Schema;
  example?: unknown;
  description: string;
};

/** What a route cannot say of itself. What it takes is read off the route. */
export type Operation = {
  id: string;
  summary: string;
  description?: string;
  access: Access;
  /** What its parameters and the fields of its body mean, by name; `fields.headers` for one inside another. */
  fields?: Record<string, string>;
  /** What a field of the body takes, by name, where its route cannot say that. */
  types?: Record<string, Schema>;
  /** Examples of parameters, by name. */
  parameters?: Record<string, string | number>;
  /** An example of the body. */
  body?: Record<string, unknown>;
  answer: Answer | Answer[];
  /** What it may refuse with beside what every call of its kind does. */
  refusals?: readonly ErrorCode[];
};

/** The calls of one part of the product, by `METHOD /path`. */
export type Part = {
  tag: string;
  description: string;
  schemas: Record<string, Schema>;
  operations: Record<string, Operation>;
};
