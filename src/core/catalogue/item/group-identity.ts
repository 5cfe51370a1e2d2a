import type { GroupWrite } from './group-write.ts'

/** Type and key as one text. It is unique among the groups of one library. */
export function groupIdentity({ type, key }: Pick<GroupWrite, 'type' | 'key'>): string {
  return `${type} ${key}`
}
