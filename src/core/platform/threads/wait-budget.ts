/** Milliseconds that a thread may wait. */
export type WaitBudget = {
  /** Adds what the thread has earned by working since its last wait, up to the limit. */
  earn: () => void
  /** Subtracts the time since the last call of a function of this object, in which the thread has waited. */
  spend: () => void
  milliseconds: () => number
}

/** Creates a credit of 0 that grows while the thread works. */
export function createWaitBudget(rule: { earnedPerMillisecond: number; maxMilliseconds: number }): WaitBudget {
  let creditMilliseconds = 0
  let at = performance.now()
  const passed = (): number => {
    const before = at
    at = performance.now()
    return at - before
  }
  return {
    earn() {
      creditMilliseconds = Math.min(creditMilliseconds + passed() * rule.earnedPerMillisecond, rule.maxMilliseconds)
    },
    spend() {
      creditMilliseconds -= passed()
    },
    milliseconds: () => creditMilliseconds,
  }
}
