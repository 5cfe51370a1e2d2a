import type { Favourite } from '../../../core/user-items/index.ts'
import { mediaRowView, userDataView } from '../media/media.view.ts'

/** A row of a list of items with what its reader said about it. */
export function favouriteView({ item, userData }: Favourite) {
  return { ...mediaRowView(item), user_data: userDataView(userData) }
}
