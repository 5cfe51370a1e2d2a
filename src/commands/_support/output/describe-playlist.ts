import type { SmartPlaylist } from '../../../core/smart-playlists/index.ts'

/** Sort order and limit of a smart playlist: `addedAt descending, at most 50`. */
export function describeOrder({ sortBy, isDescending, limit }: SmartPlaylist): string {
  const way = sortBy === 'random' ? '' : isDescending ? ' descending' : ' ascending'
  return `${sortBy}${way}${limit === 0 ? '' : `, at most ${limit}`}`
}

const LOGIC_TITLES = { and: 'all of', or: 'any of', not: 'not' } as const

/** The rules as lines: `all of`, and the conditions indented below it. */
export function describeRules(node: SmartPlaylist['rules'], indent = ''): string[] {
  if ('field' in node) return [`${indent}${node.field} ${node.op} ${JSON.stringify(node.value)}`]
  return [`${indent}${LOGIC_TITLES[node.logic]}`, ...node.rules.flatMap((rule) => describeRules(rule, `${indent}  `))]
}
