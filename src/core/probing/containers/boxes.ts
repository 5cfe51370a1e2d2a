import { type HeaderSource, readUpTo } from './limit-header-reads.ts'
import { ByteReader, decodeLatin1 } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'

/** A box of the ISO base media file format (ISO/IEC 14496-12 4.2), or an atom of QuickTime, in a file. */
export type Box = { type: string; dataStart: number; end: number }

/** A byte range of a file that contains boxes. */
export type BoxRange = { start: number; end: number }

/** Limit of the children of one box; real files have fewer than a hundred. */
const MAX_BOXES = 1000
const HEAD_BYTES = 16

/** Yields the boxes in a range. A remainder shorter than a box header ends the range: QuickTime terminates lists with four zeros. */
export function* iterateBoxes(source: HeaderSource, { start, end }: BoxRange): Generator<Box, undefined> {
  let position = start
  for (let count = 0; position + 8 <= end; count += 1) {
    if (count >= MAX_BOXES) rejectHeader('a box with too many others inside')
    const view = new ByteReader(readUpTo(source, position, Math.min(HEAD_BYTES, end - position)))
    const short = view.u32()
    const type = view.latin1(4)
    // 1: an extended size follows. 0: the box extends to the end.
    const size = short === 1 ? view.u64() : short === 0 ? end - position : short
    if (size < view.position || size > end - position) rejectHeader('a box that is larger than its parent, or empty')
    yield { type, dataStart: position + view.position, end: position + size }
    position += size
  }
}

/** Returns the children by type; of several with one type the first is used. */
export function childBoxesByType(source: HeaderSource, box: Box): Map<string, Box> {
  const boxes = new Map<string, Box>()
  for (const child of iterateBoxes(source, { start: box.dataStart, end: box.end })) {
    if (!boxes.has(child.type)) boxes.set(child.type, child)
  }
  return boxes
}

/** Returns the content of a box, at most `limit` bytes. */
export function readBoxContent(source: HeaderSource, box: Box, limit: number): ByteReader {
  return new ByteReader(source.read(box.dataStart, Math.min(limit, box.end - box.dataStart)))
}

/** A box in memory. */
export type Atom = { type: string; data: Uint8Array }

/** Returns the boxes in a block of memory; stops where no valid box follows. */
export function parseAtoms(block: Uint8Array): Atom[] {
  const atoms: Atom[] = []
  let position = 0
  while (position + 8 <= block.length && atoms.length < MAX_BOXES) {
    const view = new ByteReader(block.subarray(position))
    const size = view.u32()
    if (size < 8 || size > block.length - position) break
    atoms.push({ type: decodeLatin1(view.take(4)), data: block.subarray(position + 8, position + size) })
    position += size
  }
  return atoms
}

/** Reads version and flags of a full box (ISO/IEC 14496-12 4.2.2) and advances the view. */
export function readFullBoxHeader(view: ByteReader): { version: number; flags: number } {
  return { version: view.u8(), flags: view.u24() }
}
