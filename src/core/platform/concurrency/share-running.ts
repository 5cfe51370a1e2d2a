/** Joins the running work of a key, or starts it. The key is free again when the work has ended. */
export function shareRunning<Key, Result>(
  running: Map<Key, Promise<Result>>,
  key: Key,
  start: () => Promise<Result>,
): Promise<Result> {
  const known = running.get(key)
  if (known !== undefined) return known
  const work = start().finally(() => running.delete(key))
  running.set(key, work)
  return work
}
