import type { Cue } from './cue.ts'
import { parseCueTime } from './cue-times.ts'
import { writeCueText } from './cue-text.ts'
import { keypadPosition } from './keypad-position.ts'
import { splitLines } from './split-lines.ts'
import { cueSettingsForPosition } from './cue-settings.ts'
import { isBoldWeight, readOverrides, type TextStyle } from './substation-text.ts'

/** Column names of a section, in order. */
type Columns = readonly string[]

type Style = TextStyle & { position: number }

/** State of the parser: the definitions up to the current line. */
type Script = { section: string; columns: Columns; styles: Map<string, Style>; isLegacyFormat: boolean }

const EVENT_COLUMNS: Columns = 'layer start end style name marginl marginr marginv effect text'.split(' ')

const MAX_STYLES = 1000

/** Length limit of one event, clipping paths included. */
const MAX_EVENT_LENGTH = 100_000

const DEFAULT_STYLE: Style = { position: 2, isItalic: false, isBold: false }

/**
 * Reads the cues of a script in Advanced SubStation Alpha or its older format (`.ass`, `.ssa`): text, position, bold, italic and
 * underline. Fonts, colours, movements, drawings and comments are dropped.
 */
export function* readSubStation(text: string): Generator<Cue> {
  const script: Script = { section: '', columns: EVENT_COLUMNS, styles: new Map(), isLegacyFormat: false }
  for (const line of splitLines(text)) {
    const section = /^\s{0,20}\[([^\]]{1,50})\]\s{0,20}$/.exec(line)?.[1]?.toLowerCase()
    if (section !== undefined) {
      script.section = section
      script.columns = EVENT_COLUMNS
      if (section.endsWith('styles')) script.isLegacyFormat = !section.includes('+')
      continue
    }
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1)]
    if (name === 'format') script.columns = value.split(',').map((column) => column.trim().toLowerCase())
    else if (name === 'style') addStyle(script, value)
    else if (name === 'dialogue' && script.section === 'events') {
      const cue = cueOf(script, value)
      if (cue !== undefined) yield cue
    }
  }
}

/** The last column contains the rest of the line, including commas. */
function cellsOf(columns: Columns, value: string): ReadonlyMap<string, string> {
  const cells = value.split(',', columns.length)
  const length = cells.slice(0, -1).reduce((sum, cell) => sum + cell.length + 1, 0)
  return new Map(
    columns.map((column, index) => [column, index === columns.length - 1 ? value.slice(length) : (cells[index] ?? '')]),
  )
}

function addStyle({ columns, styles, isLegacyFormat }: Script, value: string): void {
  if (styles.size >= MAX_STYLES) return
  const cells = cellsOf(columns, value)
  const alignment = Number(cells.get('alignment') ?? 2)
  styles.set((cells.get('name') ?? '').trim(), {
    position: isLegacyFormat ? keypadPosition(alignment) : alignment,
    isItalic: Number(cells.get('italic') ?? 0) !== 0,
    isBold: isBoldWeight(Math.abs(Number(cells.get('bold') ?? 0))),
  })
}

function cueOf({ columns, styles }: Script, value: string): Cue | undefined {
  const cells = cellsOf(columns, value)
  const startMilliseconds = parseCueTime((cells.get('start') ?? '').trim())
  const endMilliseconds = parseCueTime((cells.get('end') ?? '').trim())
  if (startMilliseconds === undefined || endMilliseconds === undefined) return undefined
  const style = styles.get((cells.get('style') ?? '').trim().replace(/^\*/, '')) ?? DEFAULT_STYLE
  const { pieces, position } = readOverrides((cells.get('text') ?? '').slice(0, MAX_EVENT_LENGTH), style)
  return {
    startMilliseconds,
    endMilliseconds,
    text: writeCueText(pieces),
    settings: cueSettingsForPosition(position ?? style.position),
  }
}
