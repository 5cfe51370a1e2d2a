import { createRequire } from 'node:module'
import type { checkSync as CheckSync } from 'recheck'
import type { FoundExpression } from './regular-expressions.ts'

// The browser build is pure JavaScript and starts no process.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as { checkSync: typeof CheckSync }

export type Judgement = {
  /** A description of each expression whose matching time can exceed the square of the text length. */
  vulnerable: string[]
  /** Number of expressions by result. */
  counts: Record<string, number>
}

/**
 * Checks each expression for catastrophic backtracking. Expressions with quadratic time are only counted, because they read names, headers
 * and lines of bounded length. An expression that takes longer than the limit to analyse is counted as unknown.
 */
export function checkExpressions(
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
    // The analyser's recursion is too deep for some expressions.
    if (error instanceof RangeError) return { status: 'unknown', summary: 'too large' }
    throw error
  }
}
