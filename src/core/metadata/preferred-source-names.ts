import { isJsonObject } from '../platform/json/index.ts'
import type { MatchableItem } from './matchable-item.ts'

/**
 * The names of the sources that a library queries first for an item (`tmdb`, `tvdb`, the names of plugins): its option `metadata_priority`
 * by type of item, for series also under `tv`. Other names, and sources that are not named, keep the usual order.
 */
export function preferredSourceNames(
  { options }: { options: Readonly<Record<string, unknown>> },
  { type }: Pick<MatchableItem, 'type'>,
): string[] {
  const priority = options['metadata_priority']
  if (!isJsonObject(priority)) return []
  const names = priority[type] ?? (type === 'series' ? priority['tv'] : undefined)
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
