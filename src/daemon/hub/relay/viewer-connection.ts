import type { FastifyReply, FastifyRequest } from 'fastify'
import { relayErrors, type Viewer } from '../../../core/hub-relay/index.ts'
import { allowClientPause } from '../../http/allow-client-pause.ts'

/**
 * Replies come from servers of users, and browsers see them at the origin of the hub. A page among them must not run there, with the
 * rights of the hub’s own pages.
 */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'", 'x-frame-options': 'DENY' }

/** The connection of a viewer, for a reply that bypasses the framework. */
export function createViewerConnection(reply: FastifyReply): Viewer {
  const leaving = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort(relayErrors.viewer_left())
  })
  return {
    signal: leaving.signal,
    begin({ status, fields }) {
      reply.code(status).headers({ ...fields, ...SANDBOX })
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
      reply.hijack()
      allowClientPause(reply)
      reply.raw.writeHead(status, headers)
      return reply.raw
    },
  }
}

/** All header fields of a request, in order. */
export function headerFieldsOf({ raw: { rawHeaders } }: Pick<FastifyRequest, 'raw'>): [name: string, value: string][] {
  const fields: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    fields.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  return fields
}
