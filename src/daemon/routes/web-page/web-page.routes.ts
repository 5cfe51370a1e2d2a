import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { RoutePlugin } from '../../http/app-types.ts'

/** Only our own files run, style and load; the player feeds the video from a blob. Titles that hold markup stay text in any case (BR-02). */
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

type Asset = { url: string; file: string; contentType: string }

const SCRIPT = 'text/javascript; charset=utf-8'

/** Every static file, by its address; nothing is looked up by a name that a client sends. */
const ASSETS: readonly Asset[] = [
  { url: '/', file: pageFile('index.html'), contentType: 'text/html; charset=utf-8' },
  { url: '/assets/page.css', file: pageFile('page.css'), contentType: 'text/css; charset=utf-8' },
  { url: '/assets/page.js', file: pageFile('page.js'), contentType: SCRIPT },
  { url: '/assets/api.js', file: pageFile('api.js'), contentType: SCRIPT },
  { url: '/assets/player.js', file: pageFile('player.js'), contentType: SCRIPT },
  { url: '/assets/icon.svg', file: pageFile('icon.svg'), contentType: 'image/svg+xml' },
  { url: '/assets/hls.js', file: fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.mjs')), contentType: SCRIPT },
  {
    url: '/assets/hls.worker.js',
    file: fileURLToPath(import.meta.resolve('hls.js/dist/hls.worker.js')),
    contentType: SCRIPT,
  },
]

/** The built-in page: sign in, find a film, watch it. */
export const webPageRoutes: RoutePlugin = (app) => {
  for (const asset of ASSETS) {
    const content = once(() => load(asset.file))
    app.route({
      method: 'GET',
      url: asset.url,
      config: { access: 'public' },
      handler: async (request, reply) => {
        const { bytes, etag } = await content()
        reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'cache-control': 'no-cache', etag })
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        return reply.type(asset.contentType).send(bytes)
      },
    })
  }
}

function pageFile(name: string): string {
  return fileURLToPath(new URL(`../../web/${name}`, import.meta.url))
}

async function load(file: string): Promise<{ bytes: Buffer; etag: string }> {
  const bytes = await readFile(file)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Read at first use: a daemon that shows no page keeps no page in memory. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => (value ??= read())
}
