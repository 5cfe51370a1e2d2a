import type { Library } from '../libraries/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'

/**
 * A library. `path` is the first folder, because existing clients know only one.
 * @param showPath converts the path of a folder to the text that the reader may see; without it paths are shown in full
 */
export function libraryView(library: Library, showPath: (path: string) => string = (path) => path) {
  const paths = library.paths.map((path) => showPath(path))
  return {
    id: library.id,
    name: library.name,
    type: library.type,
    path: paths[0] ?? '',
    paths,
    options: library.options,
    item_count: library.itemCount,
    display_order: library.displayOrder,
    auto_collections: library.autoCollections,
    created_at: toIsoTimestamp(library.createdAt),
    updated_at: toIsoTimestamp(library.updatedAt),
  }
}
