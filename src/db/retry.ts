import { hadToGiveWay } from "./trouble";

const TRIES = 5;

/** Runs a transaction, and again when PostgreSQL chose it to give way to another: five times at most. */
export const untilThrough = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await transaction();
    } catch (error) {
      if (tried === TRIES || !hadToGiveWay(error)) throw error;
    }
  }
};
