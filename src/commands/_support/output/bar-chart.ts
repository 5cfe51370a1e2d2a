import type { Output } from './output.ts'
import { replaceControlCharacters } from './table.ts'

/** One line of a bar chart. */
export type Bar = {
  label: string
  /** At least 0. The largest value fills the width. */
  value: number
  /** Text after the bar. */
  note: string
}

/** Minimum and maximum width of the bars in characters: two bars must be distinguishable and comparable at a glance. */
const [MIN_BAR_WIDTH, MAX_BAR_WIDTH] = [8, 60]
/** Width when the output is not a terminal or does not know its width. */
const DEFAULT_WIDTH = 80
/** Maximum share of the line for the label. */
const LABEL_SHARE = 0.4
const GAP = '  '

/** Blocks of zero to seven eighths of a character. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Renders labels, bars and notes for stdout, as wide as the terminal. Every value above 0 has a visible bar. */
export function renderBars(bars: readonly Bar[], output: Output): string {
  const width = output.width('stdout') || DEFAULT_WIDTH
  const labels = bars.map(({ label }) => cut(replaceControlCharacters(label), Math.floor(width * LABEL_SHARE)))
  const labelWidth = Math.max(0, ...labels.map((label) => Array.from(label).length))
  const room = Math.max(0, width - labelWidth - 2 * GAP.length)
  const notes = bars.map(({ note }) => cut(note, Math.max(0, room - MIN_BAR_WIDTH)))
  const noteWidth = Math.max(0, ...notes.map((note) => Array.from(note).length))
  const barWidth = Math.min(room - noteWidth, MAX_BAR_WIDTH)
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const lines = bars.map(({ value }, index) => {
    const label = pad(labels[index] ?? '', labelWidth)
    const bar = most === 0 ? '' : drawBar((value / most) * barWidth)
    const padding = ' '.repeat(Math.max(0, barWidth - Array.from(bar).length))
    return `${label}${GAP}${output.style('stdout', 'green', bar)}${padding}${GAP}${notes[index] ?? ''}`.trimEnd()
  })
  return lines.join('\n')
}

function drawBar(characters: number): string {
  const eighths = characters > 0 ? Math.max(1, Math.round(characters * 8)) : 0
  return '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] ?? '')
}

function cut(text: string, most: number): string {
  const letters = Array.from(text)
  if (letters.length <= most) return text
  return most === 0 ? '' : `${letters.slice(0, most - 1).join('')}…`
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - Array.from(text).length))
}
