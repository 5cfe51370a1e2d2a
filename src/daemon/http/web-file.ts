import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepResult } from '../../core/platform/cache/index.ts'
import { compressFile, FILE_CODINGS, MIN_COMPRESSED_LENGTH, type FileCoding } from './compress.ts'
import { negotiateCoding } from './content-coding.ts'
import { isUnchanged } from './file-validators.ts'

/**
 * Only the server's own scripts, styles and requests are allowed; the player feeds video from a blob URL. Titles that contain markup are
 * inserted as text anyway.
 */
const contentSecurityPolicy = (connectSources: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    `connect-src ${connectSources}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** For files whose name has a hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** A static file of the web pages; identical for every client. */
export type WebFile = { send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> }

export type WebFileSource = {
  read: () => Promise<Buffer>
  contentType: string
  /** Whether the name of the file changes with its content. */
  isHashed: boolean
  /** The hosts that a page may ask; default: its own. */
  connectSources?: string
}

/** A file in one of its codings. Each has a validator of its own (RFC 9110, 8.8.3.3). */
type Form = { bytes: Buffer; etag: string }

/**
 * Reads the file at the first request, and compresses it at the first request for a coding: a daemon whose page is never opened holds no
 * page in memory. A file that could not be read is read again at the next request.
 */
export function createWebFile({ read, contentType, isHashed, connectSources = "'self'" }: WebFileSource): WebFile {
  const policy = contentSecurityPolicy(connectSources)
  const cacheControl = isHashed ? FOR_EVER : 'no-cache'
  const readPlain = keepResult(async () => plainForm(await read()))
  const coded = new Map<FileCoding, () => Promise<Form>>()

  function formOf(coding: FileCoding): Promise<Form> {
    const known = coded.get(coding) ?? keepResult(async () => codedForm(await readPlain(), coding))
    coded.set(coding, known)
    return known()
  }

  return {
    async send(request, reply) {
      const whole = await readPlain()
      const coding =
        whole.bytes.length > MIN_COMPRESSED_LENGTH ? negotiateCoding(request, reply, FILE_CODINGS) : undefined
      const { bytes, etag } = coding === undefined ? whole : await formOf(coding)
      reply.headers({ 'content-security-policy': policy, 'cache-control': cacheControl, etag })
      if (isUnchanged(request.headers, { etag, lastModified: '' })) return reply.code(304).send()
      if (coding !== undefined) reply.header('content-encoding', coding)
      return reply.type(contentType).send(bytes)
    },
  }
}

function plainForm(bytes: Buffer): Form {
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

async function codedForm({ bytes, etag }: Form, coding: FileCoding): Promise<Form> {
  return { bytes: await compressFile(bytes, coding), etag: `${etag.slice(0, -1)}-${coding}"` }
}
