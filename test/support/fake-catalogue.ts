import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Outbound } from '../../src/core/platform/outbound/index.ts'
import { computeSha256 } from '../../src/core/plugins/install/verify-origin.ts'
import { pluginArchive, type PluginFields } from './plugin-archives.ts'

/** How the server answers a path instead of sending its file. */
export type Fault = (request: IncomingMessage, reply: ServerResponse) => void

export type FakeCatalogue = {
  /** `https://plugins.test/plugins.json` */
  url: string
  /** Files by path; the index is written from `plugins`. */
  files: Map<string, Buffer>
  /** What the index lists; changed by tests. */
  plugins: Record<string, unknown>[]
  faults: Map<string, Fault>
  asked: string[]
  /** Makes an archive, serves it, and returns the entry of its version in the index. */
  publish(version: string, fields?: PluginFields & { source?: string }): Promise<Record<string, unknown>>
  /** A real client for which the host of the catalogue is this server, with a shorter time limit. */
  outbound: Outbound
}

const ORIGIN = 'https://plugins.test'
const INDEX = '/plugins.json'
const TIMEOUT_MILLISECONDS = 1500

/** A server with an index file and archives, as a static web server serves them. Each test has its own. */
export async function startFakeCatalogue(t: Test, { outbound }: { outbound: Outbound }): Promise<FakeCatalogue> {
  const files = new Map<string, Buffer>()
  const plugins: Record<string, unknown>[] = []
  const faults = new Map<string, Fault>()
  const asked: string[] = []
  const server = createServer((request, reply) => {
    const path = request.url ?? ''
    asked.push(path)
    const fault = faults.get(path)
    if (fault !== undefined) return fault(request, reply)
    const index = { schemaVersion: 1, name: 'Test catalogue', plugins }
    const body = path === INDEX ? Buffer.from(JSON.stringify(index)) : files.get(path)
    reply.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${ORIGIN}${INDEX}`,
    files,
    plugins,
    faults,
    asked,
    async publish(version, { source = 'export default class {}', ...fields } = {}) {
      const bytes = await pluginArchive(source, { version, ...fields })
      const path = `/archives/sample-${version}-${files.size}.tgz`
      files.set(path, bytes)
      return { version, url: `.${path}`, sha256: computeSha256(bytes) }
    },
    outbound: {
      ...outbound,
      async send(request, signal) {
        if (!request.url.startsWith(ORIGIN)) return outbound.send(request, signal)
        if (request.trust !== 'public') throw new Error('a catalogue is a server of strangers')
        const url = request.url.replace(ORIGIN, `http://127.0.0.1:${port}`)
        const timeoutMilliseconds = Math.min(request.timeoutMilliseconds, TIMEOUT_MILLISECONDS)
        return outbound.send({ ...request, url, timeoutMilliseconds, trust: 'configured' }, signal)
      },
    },
  }
}
