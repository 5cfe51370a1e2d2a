import { parseChildren, parseFields, readText, readUnsigned, type ChildElement } from './ebml.ts'
import { MATROSKA_ID } from './matroska-ids.ts'

/** Tag values by name; names are unique regardless of case. */
export type TagSet = Record<string, string>

/** Tags of the whole file, and of its tracks by their UIDs (RFC 9559 5.1.8). */
export type MatroskaTags = { file: TagSet; tracks: Map<number, TagSet> }

const MAX_TAGS = 2000
const VALUE_CHARACTERS = 2000
const OTHER_TARGETS = [MATROSKA_ID.TagEditionUID, MATROSKA_ID.TagChapterUID, MATROSKA_ID.TagAttachmentUID]

/** Reads tags; tags of editions, chapters and attachments are ignored. */
export function readMatroskaTags(parts: readonly Uint8Array[]): MatroskaTags {
  const tags: MatroskaTags = { file: {}, tracks: new Map() }
  for (const part of parts) {
    for (const { id, data } of parseChildren(part)) if (id === MATROSKA_ID.Tag) addTag(tags, parseChildren(data))
  }
  return tags
}

function addTag(tags: MatroskaTags, children: ChildElement[]): void {
  const targets = parseFields(children.find(({ id }) => id === MATROSKA_ID.Targets)?.data ?? new Uint8Array())
  if (OTHER_TARGETS.some((id) => readUnsigned(targets.get(id), 0) !== 0)) return
  const track = readUnsigned(targets.get(MATROSKA_ID.TagTrackUID), 0)
  const set = track === 0 ? tags.file : (tags.tracks.get(track) ?? {})
  if (track !== 0) tags.tracks.set(track, set)
  for (const { id, data } of children.slice(0, MAX_TAGS)) {
    if (id !== MATROSKA_ID.SimpleTag) continue
    const fields = parseFields(data)
    setTag(set, readText(fields.get(MATROSKA_ID.TagName)), readText(fields.get(MATROSKA_ID.TagString)))
  }
}

/** Sets a tag. Names are case-insensitive; a later tag replaces an earlier tag of the same name. */
export function setTag(set: TagSet, name: string | undefined, value: string | undefined): void {
  if (name === undefined || name === '' || name === '__proto__' || value === undefined) return
  const lower = name.toLowerCase()
  const old = Object.keys(set).find((key) => key.toLowerCase() === lower)
  if (old !== undefined) delete set[old]
  if (Object.keys(set).length < MAX_TAGS) set[name.slice(0, 200)] = value.slice(0, VALUE_CHARACTERS)
}
