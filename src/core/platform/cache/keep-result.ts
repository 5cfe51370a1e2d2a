/** Wraps a read so that its result is kept. Concurrent callers share one read; after a failure the next caller reads again. */
export function keepResult<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let kept: Promise<Result> | undefined
  return () => {
    if (kept !== undefined) return kept
    const result = read()
    kept = result
    result.catch(() => {
      kept = undefined
    })
    return result
  }
}
