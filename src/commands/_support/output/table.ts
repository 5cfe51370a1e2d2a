import { stripVTControlCharacters } from 'node:util'
import type { Output } from './output.ts'

export type Column<Row> = { title: string; text: (row: Row) => string; alignRight?: boolean }

export type TableOptions = {
  /** Tab-separated without a header, for cut and awk. */
  plain: boolean
  output: Output
}

const GAP = '  '

/**
 * Renders rows for stdout: columns are padded, and the last ones are cut at the width of the terminal; a pipe gets the full width. Control
 * characters in cells (file names may contain them) are shown as `?`, so that a row stays one line.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { plain, output }: TableOptions,
): string {
  const cells = rows.map((row) => columns.map((column) => replaceControlCharacters(column.text(row))))
  if (plain) return cells.map((line) => line.join('\t')).join('\n')
  const head = columns.map((column) => column.title.toUpperCase())
  const widths = columns.map((_, index) => Math.max(...[head, ...cells].map((line) => widthOf(line[index] ?? ''))))
  const limit = output.width('stdout')
  const layOut = (line: readonly string[]): string =>
    cut(
      line
        .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.alignRight ?? false))
        .join(GAP)
        .trimEnd(),
      limit,
    )
  return [output.style('stdout', 'bold', layOut(head)), ...cells.map(layOut)].join('\n')
}

/**
 * Removes the control sequences of terminals, and replaces other control characters by `?`. They could move the cursor, ring the bell or break
 * the line.
 */
export function replaceControlCharacters(text: string): string {
  // eslint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, '?')
}

function pad(text: string, width: number, right: boolean): string {
  const filler = ' '.repeat(Math.max(0, width - widthOf(text)))
  return right ? filler + text : text + filler
}

function cut(text: string, limit: number | undefined): string {
  if (limit === undefined || limit === 0 || widthOf(text) <= limit) return text
  return `${Array.from(text)
    .slice(0, Math.max(0, limit - 1))
    .join('')}…`
}

/** Width in code points. Wide characters count as one, which affects the alignment only. */
function widthOf(text: string): number {
  return Array.from(text).length
}
