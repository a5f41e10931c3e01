import fc from "fast-check";
import { seedOr } from "./random";

// A failure prints its seed.
fc.configureGlobal({ seed: seedOr(20_260_115) });

/** fast-check with the seed of the test run. */
export { fc };
