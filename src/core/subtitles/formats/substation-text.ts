import type { CuePiece, CueTag } from './cue-text.ts'
import { keypadPosition } from './keypad-position.ts'

/** An override block, a line break, or a hard space. */
const PART = /\{([^{}]*)\}|\\([Nnh])/g

/** The overrides of a block that affect the output. `\an8` and `\a6` set the position, `\p1` begins a drawing, `\r` resets the style. */
const OVERRIDE_TAG = /\\(?:(an?)(\d{1,2})|(p)(\d{1,2})|([biu])(\d{0,3})(?![a-z])|(r)(?![a-z]{2}))/g

/** The style of a whole event. */
export type TextStyle = Readonly<{ isItalic: boolean; isBold: boolean }>

type State = { isDrawing: boolean; position: number | undefined; style: TextStyle }

/** Splits the text of an event into pieces and returns its position; undefined if the style decides. Drawings are dropped. */
export function readOverrides(text: string, style: TextStyle): { pieces: CuePiece[]; position: number | undefined } {
  const state: State = { isDrawing: false, position: undefined, style }
  const pieces: CuePiece[] = [...stylePieces(style)]
  let end = 0
  const addText = (part: string): void => {
    if (!state.isDrawing && part !== '') pieces.push({ kind: 'text', text: part })
  }
  for (const match of text.matchAll(PART)) {
    addText(text.slice(end, match.index))
    end = match.index + match[0].length
    const [, block, escape] = match
    if (block !== undefined) pieces.push(...applyBlock(state, block))
    else if (escape !== undefined) addText(escape === 'h' ? '\u00A0' : escape === 'N' ? '\n' : ' ')
  }
  addText(text.slice(end))
  return { pieces, position: state.position }
}

function* applyBlock(state: State, block: string): Generator<CuePiece> {
  for (const [, position, positionNumber, pen, scale, style, weight, reset] of block.matchAll(OVERRIDE_TAG)) {
    if (position !== undefined) {
      // The first position counts, as in players.
      state.position ??= position === 'an' ? Number(positionNumber) : keypadPosition(Number(positionNumber))
    } else if (pen !== undefined) state.isDrawing = Number(scale) > 0
    else if (style !== undefined) yield styled(style as CueTag, weight ?? '', state)
    else if (reset !== undefined) yield* resetPieces(state)
  }
}

/** `\b700` is bold like `\b1`, `\b400` is not. Without a number the style's own value is restored. */
function styled(tag: CueTag, weight: string, { style }: State): CuePiece {
  const isOfStyle = (tag === 'i' && style.isItalic) || (tag === 'b' && style.isBold)
  const isOn = weight === '' ? isOfStyle : isBoldWeight(Number(weight))
  return { kind: isOn ? 'open' : 'close', tag }
}

/** Weights are font weights with 400 as normal; 1 means bold. */
export function isBoldWeight(weight: number): boolean {
  return weight === 1 || weight >= 600
}

function* resetPieces({ style }: State): Generator<CuePiece> {
  for (const tag of ['b', 'u', 'i'] as const) yield { kind: 'close', tag }
  yield* stylePieces(style)
}

function* stylePieces({ isItalic, isBold }: TextStyle): Generator<CuePiece> {
  if (isBold) yield { kind: 'open', tag: 'b' }
  if (isItalic) yield { kind: 'open', tag: 'i' }
}
