/**
 * Waits for work, at most for a time. The work itself continues; a later failure of it is ignored.
 * @param onTimeout makes the result after that time, or throws; it is not called when the work has ended
 */
export async function withTimeLimit<Result>(
  work: Promise<Result>,
  { milliseconds, onTimeout }: { milliseconds: number; onTimeout: () => Result },
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    return await Promise.race([work, promise.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}
