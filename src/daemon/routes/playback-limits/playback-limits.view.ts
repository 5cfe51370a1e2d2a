import type { AccessRule } from '../../../core/access/index.ts'

/** The tags of a rule. Their ids are for addresses. */
export function tagsView({ blockedTags, allowedTags }: AccessRule) {
  const rowsOf = (type: string, tags: readonly string[]) =>
    tags.map((tag) => ({ id: `${type}:${tag}`, tag, tag_type: type }))
  return [...rowsOf('blocked', blockedTags), ...rowsOf('allowed', allowedTags.flat())]
}
