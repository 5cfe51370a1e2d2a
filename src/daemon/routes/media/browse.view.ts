import type { ListIndex } from '../../../core/catalogue/index.ts'

/** A list cut into pieces; the field under the name that clients ask for it by. */
export function listIndexView({ field, ...index }: ListIndex) {
  return { field: field === 'added' ? 'date_added' : field, ...index }
}
