import type { Test } from 'tap'
import type { AnalysedFile, TrickplaySet } from '../../../../src/core/analysis/index.ts'
import { readFilm } from '../../../../src/core/analysis/index.ts'
import { findFileStamps, getItem, openItemFile } from '../../../../src/core/catalogue/index.ts'
import type { Services } from '../../../../src/core/services.ts'
import { analysedFilm } from '../analysed-film.ts'

type Used = Pick<Services, 'db' | 'mediaTools' | 'trickplay'>

/** Makes the set of a file by reading it, as a job does. */
export async function makeSet(services: Used, file: AnalysedFile): Promise<TrickplaySet> {
  const writer = await services.trickplay.begin(file)
  const wants = { pictures: [writer], sound: null }
  const { pictures } = await readFilm(services, { file, wants, niceness: 0 }, new AbortController().signal)
  if (pictures?.outcome !== 'done') throw new Error(`not read: ${pictures?.reason}`)
  const { outcome, reason } = await writer.commit()
  const set = (await services.trickplay.find([file.itemId])).get(file.itemId)
  if (outcome !== 'done' || set === undefined) throw new Error(`not written: ${reason}`)
  return set
}

/** Adds a film to the catalogue and makes its set. */
export async function filmWithSet(t: Test, services: Used, source: string): Promise<AnalysedFile> {
  const file = await analysedFilm(t, services, source)
  await makeSet(services, file)
  return file
}

/** The file of an item that was scanned. */
export async function fileOfItem(
  { db, getLibraryPaths }: Pick<Services, 'db' | 'getLibraryPaths'>,
  itemId: string,
): Promise<AnalysedFile> {
  const { path, libraryId, fileSeconds: durationSeconds } = await getItem({ db }, itemId)
  const stamp = (await findFileStamps({ db }, [itemId])).get(itemId)
  if (path === null || stamp === undefined) throw new Error('the item has no file')
  const { root, handle } = await openItemFile({ getLibraryPaths }, { path, libraryId })
  await handle.close()
  return { itemId, root, path, ...stamp, durationSeconds }
}
