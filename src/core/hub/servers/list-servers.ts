import type { Connection } from '../../platform/database/index.ts'
import { selectServersOfUser } from '../queries/servers.ts'
import type { HubServer } from '../hub-server.ts'

/** The servers that a user owns or that are shared with the user, by name; of shared ones only the shared libraries. */
export async function listServersOfUser({ db }: { db: Connection }, userId: string): Promise<HubServer[]> {
  const rows = await selectServersOfUser(db, userId)
  return rows.map(({ sharedLibraryIds, ...server }) => {
    const isVisible = ({ library_id: id }: { library_id: string }) => sharedLibraryIds?.includes(id) ?? true
    return Object.assign(server, { libraries: server.libraries.filter(isVisible) })
  })
}
