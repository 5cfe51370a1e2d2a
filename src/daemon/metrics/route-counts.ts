const MINUTES = 60

/** Response counts of one route. */
export type RouteCount = {
  method: string
  /** Route pattern, for example with `:id`. */
  route: string
  requests: number
  errors: number
  totalMilliseconds: number
  maxMilliseconds: number
}

export type RouteReply = { method: string; route: string; milliseconds: number; isError: boolean }

/** Response counts by route over the last hour. Keys are route patterns and not request paths, so that their number is bounded. */
export type RouteCounts = {
  count(unixSeconds: number, answer: RouteReply): void
  /** Totals of the last minutes, ordered by longest response time. */
  list(unixSeconds: number, span: { minutes: number; limit: number }): RouteCount[]
}

export function createRouteCounts(): RouteCounts {
  const kept: { minute: number; routes: Map<string, RouteCount> }[] = []

  function routesOf(minute: number): Map<string, RouteCount> {
    const newest = kept.at(-1)
    // If the clock was set back, requests count for the newest minute.
    if (newest !== undefined && newest.minute >= minute) return newest.routes
    const routes = new Map<string, RouteCount>()
    kept.push({ minute, routes })
    if (kept.length > MINUTES) kept.shift()
    return routes
  }

  return {
    count(unixSeconds, answer) {
      add(routesOf(Math.floor(unixSeconds / 60)), {
        method: answer.method,
        route: answer.route,
        requests: 1,
        errors: answer.isError ? 1 : 0,
        totalMilliseconds: answer.milliseconds,
        maxMilliseconds: answer.milliseconds,
      })
    },
    list(unixSeconds, { minutes, limit }) {
      const sums = new Map<string, RouteCount>()
      const first = Math.floor(unixSeconds / 60) - minutes
      for (const { minute, routes } of kept) if (minute > first) for (const count of routes.values()) add(sums, count)
      return [...sums.values()].toSorted((a, b) => b.maxMilliseconds - a.maxMilliseconds).slice(0, limit)
    },
  }
}

function add(sums: Map<string, RouteCount>, count: RouteCount): void {
  const key = `${count.method} ${count.route}`
  const sum = sums.get(key)
  if (sum === undefined) return void sums.set(key, { ...count })
  sum.requests += count.requests
  sum.errors += count.errors
  sum.totalMilliseconds += count.totalMilliseconds
  sum.maxMilliseconds = Math.max(sum.maxMilliseconds, count.maxMilliseconds)
}
