import type { WrittenItem } from '../../catalogue/index.ts'
import { writePhotos } from '../../photos/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { FileFacts } from '../../probing/index.ts'
import { storeStreamIndexes, type IndexWrite } from '../../streaming/index.ts'
import type { FileReadEvent } from '../job/scan-event.ts'

/** A written item with the facts from its file. */
type DetailedItem = { itemId: string; file: FileReadEvent; facts: FileFacts }

/** Writes the type-specific tables, in the transaction of their items. The rows of an unreadable file are kept. */
export async function writeItemDetails(
  connection: Connection,
  files: readonly FileReadEvent[],
  written: readonly WrittenItem[],
): Promise<void> {
  const ids = new Map(written.map(({ id, path }) => [path, id]))
  const items = files.flatMap((file): DetailedItem[] => {
    const { path, outcome } = file
    const itemId = ids.get(path)
    return itemId === undefined || outcome.kind !== 'read' ? [] : [{ itemId, file, facts: outcome.facts }]
  })
  await writePhotos(
    connection,
    items.flatMap(({ itemId, facts: { photo } }) => (photo === undefined ? [] : [{ itemId, photo }])),
  )
  await storeStreamIndexes(connection, items.flatMap(indexWrite))
}

function indexWrite({ itemId, file, facts: { index } }: DetailedItem): IndexWrite[] {
  const { sizeBytes, modifiedAtNanoseconds } = file
  const stamp = { mediaItemId: itemId, sizeBytes, modifiedAtNanoseconds: modifiedAtNanoseconds.toString() }
  return index === undefined ? [] : [{ ...stamp, index }]
}
