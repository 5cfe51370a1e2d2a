import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'

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

/** A static file of the built-in web page; identical for every client. */
export type PageFile = { send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> }

/** Path of a file in daemon/web. */
export function pagePath(name: string): string {
  return fileURLToPath(new URL(`../web/${name}`, import.meta.url))
}

/** Reads the file at the first request: a daemon whose page is never opened holds no page in memory. */
export function createPageFile({ path, contentType }: { path: string; contentType: string }): PageFile {
  let content: ReturnType<typeof load> | undefined
  return {
    async send(request, reply) {
      const { bytes, etag } = await (content ??= load(path))
      reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'cache-control': 'no-cache', etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(contentType).send(bytes)
    },
  }
}

async function load(file: string): Promise<{ bytes: Buffer; etag: string }> {
  const bytes = await readFile(file)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}
