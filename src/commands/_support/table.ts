import { stripVTControlCharacters } from 'node:util'
import type { Output } from './output.ts'

export type Column<Row> = { title: string; text: (row: Row) => string; alignRight?: boolean }

export type TableOptions = {
  /** Tab-separated without a head, for cut and awk. */
  plain: boolean
  output: Output
}

const GAP = '  '

/**
 * Rows as text for stdout: columns padded and the last ones cut to a terminal's width; full width when piped.
 * Control characters in cells (file names may hold them) are shown as `?`, so that a row stays one line.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { plain, output }: TableOptions,
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))))
  if (plain) return cells.map((line) => line.join('\t')).join('\n')
  const head = columns.map((column) => column.title.toUpperCase())
  const widths = columns.map((_, index) => Math.max(...[head, ...cells].map((line) => widthOf(line[index] ?? ''))))
  const limit = output.width('stdout')
  const lay = (line: readonly string[]): string =>
    cut(
      line
        .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.alignRight ?? false))
        .join(GAP)
        .trimEnd(),
      limit,
    )
  return [output.style('stdout', 'bold', lay(head)), ...cells.map(lay)].join('\n')
}

/** Text that cannot move the cursor, ring or break a line. */
export function printable(text: string): string {
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

/** Code points; wide characters count as one, which only costs alignment. */
function widthOf(text: string): number {
  return Array.from(text).length
}
