import type { ItemRole } from './item-write.ts'

/** How a file relates to other items. `role` null: lists show the item. */
export type FileRelation = {
  path: string
  role: ItemRole | null
  /**
   * Absolute path of the owning file, or of the folder that contains the owning item. Null: the group of the item owns it, which is
   * stored already.
   */
  owner: { file: string } | { folder: string } | null
  label: string | null
  order: number | null
}
