import { createHook } from 'node:async_hooks'
import type { Test } from 'tap'

/** Counts the password hashes that this process starts; Node reports each as an argon2 request. */
export function countPasswordHashes(t: Test): () => number {
  let count = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') count += 1
    },
  }).enable()
  t.teardown(() => hook.disable())
  return () => count
}

/** Wraps services so that the names of all database calls are recorded in order. */
export function countedDatabase<Services extends { db: object }>(
  services: Services,
): { services: Services; asked: string[] } {
  const asked: string[] = []
  const db = new Proxy(services.db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...words: unknown[]): unknown => {
        asked.push(String(name))
        return Reflect.apply(value, target, words)
      }
    },
  })
  return { services: { ...services, db }, asked }
}
