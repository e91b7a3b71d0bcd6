/**
 * What things take, in steps: so that a step is 0.1 µs. Found by regression of the time of deltas, each the least of eight runs, on how often each thing
 * was done in them (3,000 deltas of random sets).
 */
export const PRICES = {
  /** A unit for which the tables have no answer, besides what follows. */
  unit: 25,
  /** The unit is looked for in a set that threads begin with. */
  lookup: 0.2,
  /** A thread stays where it is: it waits for a unit, not for what kind of unit. */
  stay: 0.25,
  /** It does not take the unit. */
  refuse: 0.5,
  /** It takes the unit; with look-aheads that it owes it is found anew among all others. */
  take: 1.25,
  takeOwing: 3,
  /** It is followed over one position that takes no unit. */
  follow: 0.75,
  followOwing: 1.75,
  /** An obligation is looked at. */
  pay: 1,
  /** A set of threads is closed, besides what its threads take. */
  close: 6,
  /** A look-behind goes along with a unit. */
  behind: 3,
  /** The tables begin anew: for each part with look-arounds. */
  renew: 2,
} as const;
