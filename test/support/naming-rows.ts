import { readFileSync } from 'node:fs'
import { type Test } from 'tap'

/** The rows of one set of collected names, see test/fixtures/naming/README.md. */
export function rowsOf<Row extends { src: string }>(set: string): Row[] {
  const text = readFileSync(new URL(`../fixtures/naming/${set}.jsonl`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

const GATES: [project: string, share: number][] = [
  ['jellyfin', 0.97],
  ['guessit-io', 0.92],
  ['phlix', 0.95],
]

/** Compares every row, prints the score of each project and the differing rows, and checks the minimum score of the gated projects. */
export function scoreRows<Row extends { src: string }>(
  t: Test,
  set: string,
  rows: Row[],
  differenceOf: (row: Row) => string | undefined,
): void {
  t.ok(rows.length > 0, `${set} has rows`)
  for (const project of new Set(rows.map(projectOf))) {
    const own = rows.filter((row) => projectOf(row) === project)
    const differences = own.map(differenceOf).filter((difference) => difference !== undefined)
    const right = own.length - differences.length
    t.comment(`${set}: ${project} ${right}/${own.length}`)
    for (const difference of differences) t.comment(`  ${difference}`)
    const gate = GATES.find(([gated]) => gated === project)
    if (gate !== undefined) t.ok(right >= own.length * gate[1], `${project} rows of ${set}: ${right} of ${own.length}`)
  }
}

function projectOf(row: { src: string }): string {
  return row.src.split('/')[0] ?? ''
}
