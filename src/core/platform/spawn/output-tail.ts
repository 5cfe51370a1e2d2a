/** The last bytes of a stream, in constant memory. */
export type OutputTail = { push(chunk: Buffer): void; text(): string }

export function createOutputTail(limitBytes: number): OutputTail {
  let kept: Buffer[] = []
  let keptBytes = 0
  const compact = (): Buffer => {
    const whole = Buffer.concat(kept)
    const tail = whole.subarray(Math.max(0, whole.length - limitBytes))
    kept = [tail]
    keptBytes = tail.length
    return tail
  }
  return {
    push(chunk) {
      kept.push(chunk)
      keptBytes += chunk.length
      if (keptBytes > 2 * limitBytes) compact()
    },
    text: () => compact().toString('utf8'),
  }
}
