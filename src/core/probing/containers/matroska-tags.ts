import { childrenOf, fieldsOf, textOf, unsignedOf, type Child } from './ebml.ts'
import { ID } from './matroska-ids.ts'

/** Tag values by name; names are unique regardless of case. */
export type TagSet = Record<string, string>

/** Tags of the whole file, and of its tracks by their UIDs (RFC 9559 5.1.8). */
export type MatroskaTags = { file: TagSet; tracks: Map<number, TagSet> }

const MAX_TAGS = 2000
const VALUE_CHARACTERS = 2000
const OTHER_TARGETS = [ID.TagEditionUID, ID.TagChapterUID, ID.TagAttachmentUID]

/** Reads tags; tags of editions, chapters and attachments are ignored. */
export function readMatroskaTags(parts: readonly Uint8Array[]): MatroskaTags {
  const tags: MatroskaTags = { file: {}, tracks: new Map() }
  for (const part of parts) {
    for (const { id, data } of childrenOf(part)) if (id === ID.Tag) addTag(tags, childrenOf(data))
  }
  return tags
}

function addTag(tags: MatroskaTags, children: Child[]): void {
  const targets = fieldsOf(children.find(({ id }) => id === ID.Targets)?.data ?? new Uint8Array())
  if (OTHER_TARGETS.some((id) => unsignedOf(targets.get(id), 0) !== 0)) return
  const track = unsignedOf(targets.get(ID.TagTrackUID), 0)
  const set = track === 0 ? tags.file : (tags.tracks.get(track) ?? {})
  if (track !== 0) tags.tracks.set(track, set)
  for (const { id, data } of children.slice(0, MAX_TAGS)) {
    if (id !== ID.SimpleTag) continue
    const fields = fieldsOf(data)
    setTag(set, textOf(fields.get(ID.TagName)), textOf(fields.get(ID.TagString)))
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
