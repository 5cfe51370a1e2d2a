import sharp from 'sharp'
import type { Test } from 'tap'
import { readArtworkAddresses, type ArtworkKind } from '../../src/core/artwork/index.ts'
import { listItems } from '../../src/core/catalogue/index.ts'
import type { LibraryType } from '../../src/core/libraries/index.ts'
import type { TestApp } from './app.ts'
import { reachableDirectory } from './directories.ts'
import { scanLibrary } from './scan-library.ts'

type ItemCount = { libraryId: string; folder: string; idOf: (path: string) => string }

/** A scanned library of the files that `fill` creates; items by their relative path. */
export async function scanArtworkLibrary(
  t: Test,
  { services }: TestApp,
  type: LibraryType,
  fill: (folder: string) => Promise<void>,
): Promise<ItemCount> {
  const folder = reachableDirectory(t)
  await fill(folder)
  const { id: libraryId } = await scanLibrary(services, { folder, type })
  const { items } = await listItems(services, { libraryId, limit: 100 })
  const ids = new Map(items.map((item) => [item.path?.slice(folder.length + 1) ?? item.name, item.id]))
  return { libraryId, folder, idOf: (path) => ids.get(path) ?? `no ${path} but ${[...ids.keys()].join(', ')}` }
}

/** The URL of a picture; empty if there is none. */
export async function addressOf({ services }: TestApp, itemId: string, kind: ArtworkKind = 'poster'): Promise<string> {
  return (await readArtworkAddresses(services, { itemIds: [itemId] })).get(itemId)?.[kind]?.url ?? ''
}

type Seen = { status: number; headers: Headers; bytes: Buffer }

/** Fetches a picture. */
export async function fetchPicture(
  { baseUrl }: TestApp,
  address: string,
  headers: Record<string, string> = {},
): Promise<Seen> {
  const reply = await fetch(`${baseUrl}${address}`, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

/** Size, format and centre colour of a picture; the status if it is not a picture. */
export async function inspectPicture(app: TestApp, address: string): Promise<string> {
  const { status, bytes } = await fetchPicture(app, address)
  if (status !== 200) return `${status}`
  const { data, info } = await sharp(bytes).resize(1, 1).raw().toBuffer({ resolveWithObject: true })
  const { width, height, format } = await sharp(bytes).metadata()
  const names = ['red', 'green', 'blue'].filter((_, index) => (data[index] ?? 0) > 100)
  return `${width}x${height} ${format} ${names.join('+') || 'black'}${info.channels === 4 ? ' alpha' : ''}`
}
