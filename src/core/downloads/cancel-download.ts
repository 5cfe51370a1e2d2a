import { getItem } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { downloadFiles, removeDownloadFiles } from './download-files.ts'
import { downloadErrors } from './errors.ts'
import { deleteDownloadRequester, deleteUnwantedDownload, findDownloadRow, lockDownloadQueue } from './queries.ts'

/**
 * Cancels the request of an account for a download. An unfinished download without another request is removed. A finished file is kept as long
 * as other files are.
 * @throws AppError `media_item_not_found`; `download_not_found` also if the account has not asked for it
 */
export async function cancelDownload(
  { db, config }: { db: Database; config: Pick<Config, 'dataDirectory'> },
  { itemId, quality, accountId }: { itemId: string; quality: string; accountId: string },
): Promise<void> {
  const item = await getItem({ db }, itemId)
  const removedId = await db.transaction(async (connection) => {
    await lockDownloadQueue(connection)
    const found = await findDownloadRow(connection, { itemId: item.id, quality })
    if (found === undefined || !(await deleteDownloadRequester(connection, { downloadId: found.id, accountId }))) {
      throw downloadErrors.download_not_found()
    }
    return (await deleteUnwantedDownload(connection, found.id)) ? found.id : undefined
  })
  if (removedId !== undefined) await removeDownloadFiles(downloadFiles(config, removedId))
}
