/**
 * Waits for work, or until the signal aborts. The work itself continues; a later failure of it is ignored.
 * @throws the reason of the signal
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const onAbort = (): void => reject(signal.reason as Error)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  work.then(resolve, reject)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
