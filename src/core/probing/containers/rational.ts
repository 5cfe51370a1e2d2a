/** Formats a fraction as ffprobe does, with both parts up to `limit`: the best approximation by continued fractions. */
export function approximateFraction(numerator: number, denominator: number, limit: number): string | undefined {
  const reduced = reduceFraction(numerator, denominator, limit)
  return reduced === undefined ? undefined : `${reduced[0]}/${reduced[1]}`
}

/** Returns the reduced fraction; undefined unless both parts are positive. */
export function reduceFraction(numerator: number, denominator: number, limit: number): [number, number] | undefined {
  if (!(numerator > 0 && denominator > 0 && Number.isFinite(numerator) && Number.isFinite(denominator)))
    return undefined
  const divisor = greatestCommonDivisor(Math.round(numerator), Math.round(denominator))
  let [over, under] = [Math.round(numerator) / divisor, Math.round(denominator) / divisor]
  if (over <= limit && under <= limit) return under === 0 ? undefined : [over, under]
  let [before, last]: [[number, number], [number, number]] = [
    [0, 1],
    [1, 0],
  ]
  while (under > 0) {
    const whole = Math.floor(over / under)
    const next: [number, number] = [whole * last[0] + before[0], whole * last[1] + before[1]]
    if (next[0] > limit || next[1] > limit) {
      last = semiconvergent([over, under], [before, last], limit)
      break
    }
    ;[over, under, before, last] = [under, over - whole * under, last, next]
  }
  return last[0] > 0 && last[1] > 0 ? last : undefined
}

/** Returns the semiconvergent if it is closer than the last convergent. */
function semiconvergent(
  [over, under]: [number, number],
  [before, last]: [[number, number], [number, number]],
  limit: number,
): [number, number] {
  let steps = Math.floor(over / under)
  if (last[0] > 0) steps = Math.floor((limit - before[0]) / last[0])
  if (last[1] > 0) steps = Math.min(steps, Math.floor((limit - before[1]) / last[1]))
  const isNearer = under * (2 * steps * last[1] + before[1]) > over * last[1]
  return isNearer ? [steps * last[0] + before[0], steps * last[1] + before[1]] : last
}

function greatestCommonDivisor(one: number, other: number): number {
  let [high, low] = [one, other]
  while (low > 0) [high, low] = [low, high % low]
  return high === 0 ? 1 : high
}
