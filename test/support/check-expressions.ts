import { createRequire } from 'node:module'
import type { checkSync as CheckSync } from 'recheck'
import type { FoundExpression } from './regular-expressions.ts'

// The build for browsers is JavaScript alone and starts no process.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as { checkSync: typeof CheckSync }

export type Judgement = {
  /** A sentence for each expression that a text can hold up for longer than the square of its length. */
  vulnerable: string[]
  /** How many expressions were judged in which way. */
  counts: Record<string, number>
}

/**
 * Judges each expression. Those that take up to the square of a text's length read names, headers and lines, whose length is bounded;
 * they are counted only. One that takes longer to judge than the limit is counted as unknown.
 */
export function judgeExpressions(
  expressions: readonly FoundExpression[],
  { limitMilliseconds }: { limitMilliseconds: number },
): Judgement {
  const vulnerable: string[] = []
  const counts: Record<string, number> = {}
  for (const { file, source, flags } of expressions) {
    const { status, summary } = judge(source, flags, limitMilliseconds)
    const judgement = `${status} ${summary}`.trim()
    counts[judgement] = (counts[judgement] ?? 0) + 1
    const isBad = status === 'vulnerable' && !summary.startsWith('2nd degree')
    if (isBad) vulnerable.push(`${file}: /${source}/${flags} is ${summary}`)
  }
  return { vulnerable, counts }
}

function judge(source: string, flags: string, timeout: number): { status: string; summary: string } {
  try {
    const diagnostics = checkSync(source, flags, { timeout })
    return { status: diagnostics.status, summary: 'complexity' in diagnostics ? diagnostics.complexity.summary : '' }
  } catch (error) {
    // Its own recursion is too deep for some.
    if (error instanceof RangeError) return { status: 'unknown', summary: 'too large' }
    throw error
  }
}
