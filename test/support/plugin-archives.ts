import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { Header, type HeaderData } from 'tar'

/** An entry of a tar archive, as raw as its author wants it. */
export type ArchiveEntry = Omit<HeaderData, 'size'> & {
  content?: string | Buffer
  /** Declared size, when the content follows in another way. */
  size?: number
}

const BLOCK_BYTES = 512

/** A tar.gz archive of entries, which may be hostile: the names and types are written as they are. */
export function tarGz(entries: Iterable<ArchiveEntry>): Promise<Buffer> {
  return buffer(Readable.from(blocks(entries)).pipe(createGzip({ level: 1 })))
}

function* blocks(entries: Iterable<ArchiveEntry>): Generator<Buffer> {
  for (const { content = '', ...fields } of entries) {
    const bytes = Buffer.from(content)
    const header = new Header({
      mode: 0o644,
      type: 'File',
      uid: 0,
      gid: 0,
      mtime: new Date(0),
      size: bytes.length,
      ...fields,
    })
    const block = Buffer.alloc(BLOCK_BYTES)
    header.encode(block)
    yield block
    if (bytes.length > 0) yield Buffer.concat([bytes, Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1))])
  }
  yield Buffer.alloc(2 * BLOCK_BYTES)
}

export type PluginFields = Record<string, unknown>

/** The text of a valid plugin.json with changed fields. */
export function manifestText(fields: PluginFields = {}): string {
  return JSON.stringify({
    name: 'phlix-plugin-sample',
    version: '1.0.0',
    phlix_min_server_version: '0.1.0',
    type: 'notifier',
    entry: 'index.mjs',
    events: ['playback.started'],
    ...fields,
  })
}

/** A valid archive of a plugin with a source. */
export function pluginArchive(source: string, fields: PluginFields = {}): Promise<Buffer> {
  return tarGz([
    { path: 'plugin.json', content: manifestText(fields) },
    { path: 'index.mjs', content: source },
  ])
}
