import type { GroupWrite } from './write-items.ts'

/** Type and key in one text: what tells the groups of one library apart. */
export function nameOf({ type, key }: Pick<GroupWrite, 'type' | 'key'>): string {
  return `${type} ${key}`
}
