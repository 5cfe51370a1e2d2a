import type { SignedInAccount } from '../../../core/accounts/index.ts'
import type { ListedItem } from '../../../core/catalogue/index.ts'
import { readViewerData } from '../../../core/playback/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import type { MediaRows } from './media-rows.ts'
import { viewerDataView, type MediaRow } from './media.view.ts'

/** A row, with the data of the viewer if the client requests them. */
type ViewerRow = MediaRow & { user_data?: ReturnType<typeof viewerDataView> }

type Input = {
  items: readonly ListedItem[]
  reader: SignedInAccount
  /** Additional data that the client requests: `user_data`. */
  include: readonly string[] | undefined
}

/**
 * The rows of a list for one user, in the same order. The rows are shared by all users; the data of the user are read for the page in one
 * statement and added to it.
 */
export async function viewerRows(
  rows: MediaRows,
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>,
  { items, reader, include = [] }: Input,
): Promise<ViewerRow[]> {
  const showPath = await createPathFormatter(services, reader)
  const plain = await rows.rowsOf(services, items, { showPath })
  if (!include.includes('user_data')) return plain
  const data = await readViewerData(services, { profileId: reader.profile.id, items })
  return plain.map((row) => {
    const own = data.get(row.id)
    return own === undefined ? row : rows.extend(row, { user_data: viewerDataView(own) })
  })
}
