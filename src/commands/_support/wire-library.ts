import type { Library } from '../../core/libraries/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'

/** A library as JSON, with the keys of the HTTP API. */
export function wireLibrary(library: Library): Record<string, unknown> {
  return {
    id: library.id,
    name: library.name,
    type: library.type,
    path: library.paths[0] ?? null,
    paths: library.paths,
    options: library.options,
    item_count: library.itemCount,
    display_order: library.displayOrder,
    auto_collections: library.autoCollections,
    created_at: toIsoTimestamp(library.createdAt),
    updated_at: toIsoTimestamp(library.updatedAt),
  }
}
