import type { SigningServices } from '../../../core/services.ts'
import type { Favourite } from '../../../core/user-items/index.ts'
import { mediaRows } from '../media/media-rows.ts'
import { userDataView } from '../media/media.view.ts'

/** Rows of a list of items with what their reader said about them, in the same order. */
export async function favouritesView(
  services: Pick<SigningServices, 'db' | 'signer' | 'clock'>,
  favourites: readonly Favourite[],
) {
  const rows = await mediaRows(
    services,
    favourites.map(({ item }) => item),
  )
  return rows.flatMap((row, index) => {
    const userData = favourites[index]?.userData
    return userData === undefined ? [] : [{ ...row, user_data: userDataView(userData) }]
  })
}
