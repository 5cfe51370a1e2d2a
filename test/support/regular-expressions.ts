import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A regular expression of the product and the file that holds it. */
export type FoundExpression = { file: string; source: string; flags: string }

const ROOT = join(import.meta.dirname, '..', '..')

/** All regular expression literals in `src`, each once. */
export function literalExpressions(): FoundExpression[] {
  const found = new Map<string, FoundExpression>()
  for (const entry of readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.d)\.ts$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    collect(parseSync(path, readFileSync(path, 'utf8')).program, ({ pattern, flags }) => {
      found.set(`${flags}/${pattern}`, { file: relative(ROOT, path), source: pattern, flags })
    })
  }
  return [...found.values()]
}

type Literal = { pattern: string; flags: string }

/** Calls `take` with every literal below a node of a syntax tree. */
function collect(node: unknown, take: (literal: Literal) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('regex' in node && node.regex !== null && node.regex !== undefined) take(node.regex as Literal)
  for (const child of Object.values(node)) collect(child, take)
}
