import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressFile, FILE_CODINGS, MIN_COMPRESSED_LENGTH, type FileCoding } from './compress.ts'
import { negotiateCoding } from './content-coding.ts'
import { isUnchanged } from './file-validators.ts'

/**
 * Only the server's own scripts, styles and requests are allowed; the player feeds video from a blob URL. Titles that contain markup are
 * inserted as text anyway.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
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
  path: string
  contentType: string
  /** Whether the name of the file changes with its content. */
  isHashed: boolean
}

/** A file in one of its codings. Each has a validator of its own (RFC 9110, 8.8.3.3). */
type Form = { bytes: Buffer; etag: string }

/**
 * Reads the file at the first request, and compresses it at the first request for a coding: a daemon whose page is never opened holds no
 * page in memory.
 */
export function createWebFile({ path, contentType, isHashed }: WebFileSource): WebFile {
  const cacheControl = isHashed ? FOR_EVER : 'no-cache'
  let plain: Promise<Form> | undefined
  const coded = new Map<FileCoding, Promise<Form>>()

  function formOf(coding: FileCoding): Promise<Form> {
    const known = coded.get(coding)
    if (known !== undefined) return known
    const made = (plain ??= load(path)).then((form) => codedForm(form, coding))
    coded.set(coding, made)
    return made
  }

  return {
    async send(request, reply) {
      const whole = await (plain ??= load(path))
      const coding =
        whole.bytes.length > MIN_COMPRESSED_LENGTH ? negotiateCoding(request, reply, FILE_CODINGS) : undefined
      const { bytes, etag } = coding === undefined ? whole : await formOf(coding)
      reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'cache-control': cacheControl, etag })
      if (isUnchanged(request.headers, { etag, lastModified: '' })) return reply.code(304).send()
      if (coding !== undefined) reply.header('content-encoding', coding)
      return reply.type(contentType).send(bytes)
    },
  }
}

async function load(file: string): Promise<Form> {
  const bytes = await readFile(file)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

async function codedForm({ bytes, etag }: Form, coding: FileCoding): Promise<Form> {
  return { bytes: await compressFile(bytes, coding), etag: `${etag.slice(0, -1)}-${coding}"` }
}
