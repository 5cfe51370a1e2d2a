import type { Finding } from '../../../core/doctor/index.ts'
import type { Output, Style } from './output.ts'
import { replaceControlCharacters, renderTable, type Column } from './table.ts'

const STYLES: Readonly<Record<Finding['level'], Style>> = {
  ok: 'green',
  skipped: 'dim',
  warning: 'yellow',
  error: 'red',
}

const COLUMNS: readonly Column<Finding>[] = [
  { title: 'level', text: ({ level }) => level },
  { title: 'check', text: ({ id }) => id },
  { title: 'message', text: ({ message }) => message },
  { title: 'fix', text: ({ fix }) => fix ?? '' },
]

type Report = {
  findings: readonly Finding[]
  mended: readonly string[]
  bundle: { path: string; bytes: number } | null
}

/** One line for each finding, and below a problem the command that removes its cause. */
export function describeFindings(
  { findings, mended, bundle }: Report,
  { plain, output }: { plain: boolean; output: Output },
): string {
  if (plain) return renderTable(COLUMNS, findings, { plain, output })
  const lines = findings.flatMap(({ id, level, message, fix }) => [
    `${output.style('stdout', STYLES[level], level.padEnd(7))}  ${id.padEnd(13)}  ${replaceControlCharacters(message)}`,
    ...(fix === null
      ? []
      : [`${' '.repeat(9)}${output.style('stdout', 'bold', `$ ${replaceControlCharacters(fix)}`)}`]),
  ])
  if (mended.length > 0) lines.push(`mended: ${mended.join(', ')}`)
  if (bundle !== null) lines.push(`wrote ${bundle.path}, ${bundle.bytes} bytes; read it before you send it (zcat)`)
  return lines.join('\n')
}
