import type { HeaderSource } from './limit-header-reads.ts'
import { rejectHeader } from './unsupported-header.ts'
import {
  parseChildren,
  readElementContent,
  readElement,
  parseFields,
  readText,
  readUnsigned,
  type EbmlElement,
} from './ebml.ts'
import { MATROSKA_ID } from './matroska-ids.ts'

/** The positions of the top-level elements of a segment. */
export type MatroskaSegment = {
  parts: ReadonlyMap<number, readonly EbmlElement[]>
  /** The first cluster; undefined for a file without one. */
  firstCluster: EbmlElement | undefined
  /** Origin of the positions in the file. */
  dataStart: number
  end: number
}

/** Limit of elements before the first cluster; real files have fewer than ten. */
const MAX_PARTS = 64
const WANTED = new Set<number>([
  MATROSKA_ID.Info,
  MATROSKA_ID.Tracks,
  MATROSKA_ID.Chapters,
  MATROSKA_ID.Tags,
  MATROSKA_ID.Attachments,
])
const DOCUMENT_TYPES = new Set(['matroska', 'webm'])

/**
 * Finds the parts of the first segment (RFC 9559 4.5): those before the first cluster by walking, those after it by the seek head.
 * Clusters are never walked. `wanted` contains the identifiers of the parts; each part after the clusters costs a read.
 */
export function findSegment(source: HeaderSource, wanted: ReadonlySet<number> = WANTED): MatroskaSegment {
  const header = readElement(source, 0)
  if (header.id !== MATROSKA_ID.EBML) rejectHeader('not an EBML document')
  const type = readText(parseFields(readElementContent(source, header)).get(MATROSKA_ID.DocType)) ?? 'matroska'
  if (!DOCUMENT_TYPES.has(type)) rejectHeader('an EBML document of another type')
  const segment = readElement(source, header.dataStart + header.size)
  if (segment.id !== MATROSKA_ID.Segment) rejectHeader('a Matroska file that does not begin with its segment')
  const end = Math.min(source.sizeBytes, segment.dataStart + segment.size)
  const found = new Map<number, EbmlElement>()
  const seekHeads: EbmlElement[] = []
  const firstCluster = walk(source, { start: segment.dataStart, end }, (part) => {
    if (part.id === MATROSKA_ID.SeekHead) seekHeads.push(part)
    if (wanted.has(part.id)) found.set(part.start, part)
  })
  const context = { origin: segment.dataStart, end, found, wanted, isNested: false }
  for (const seekHead of seekHeads) follow(source, seekHead, context)
  return { parts: Map.groupBy(found.values(), ({ id }) => id), firstCluster, dataStart: segment.dataStart, end }
}

/** Reports each part before the first cluster, and returns that cluster. */
function walk(
  source: HeaderSource,
  { start, end }: { start: number; end: number },
  report: (part: EbmlElement) => void,
): EbmlElement | undefined {
  let position = start
  for (let count = 0; position < end; count += 1) {
    if (count >= MAX_PARTS) rejectHeader('a segment in too many parts')
    const part = readElement(source, position)
    if (part.id === MATROSKA_ID.Cluster) return part
    if (part.size === Infinity) rejectHeader('a part of unknown size')
    report(part)
    position = part.dataStart + part.size
  }
  return undefined
}

type Follow = {
  origin: number
  end: number
  found: Map<number, EbmlElement>
  wanted: ReadonlySet<number>
  isNested: boolean
}

/** Adds the parts that a seek head lists (RFC 9559 5.1.1). It may refer to one further seek head at the end of the file. */
function follow(source: HeaderSource, seekHead: EbmlElement, context: Follow): void {
  for (const { id: childId, data } of parseChildren(readElementContent(source, seekHead))) {
    if (childId !== MATROSKA_ID.Seek) continue
    const fields = parseFields(data)
    const id = readUnsigned(fields.get(MATROSKA_ID.SeekID), 0)
    const position = context.origin + readUnsigned(fields.get(MATROSKA_ID.SeekPosition), 0)
    const isNext = id === MATROSKA_ID.SeekHead && !context.isNested && position !== seekHead.start
    if ((!context.wanted.has(id) && !isNext) || context.found.has(position)) continue
    if (position >= context.end) rejectHeader('the file ends before a part that its index names')
    const part = readElement(source, position)
    if (part.id !== id || part.size === Infinity) rejectHeader('an index that leads to something else')
    if (isNext) follow(source, part, { ...context, isNested: true })
    else context.found.set(position, part)
    if (context.found.size > MAX_PARTS) rejectHeader('a segment in too many parts')
  }
}
