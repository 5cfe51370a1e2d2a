import type { ListIndex } from '../../../core/catalogue/index.ts'

/** An index of a list; the field under its client-side name. */
export function listIndexView({ field, ...index }: ListIndex) {
  return { field: field === 'added' ? 'date_added' : field, ...index }
}
