import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentTypeOf } from '../../../core/platform/files/index.ts'
import { jobResource, parseStreamFile, readPlaylist, streamingErrors } from '../../../core/streaming/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { RouteContext, RoutePlugin } from '../../http/app-types.ts'
import { sendFile } from '../../http/send-file.ts'
import { masterUrl } from '../transcodes/transcodes.view.ts'
import { HlsFileParameters, JobParameters, PlaylistPointer } from './hls.schemas.ts'

/** A segment never changes under its name. Its address carries a signature: only the player may keep it. */
const SEGMENT_CACHE_CONTROL = 'private, max-age=31536000, immutable'

/** Playlists and segments of transcode jobs (document 2, HLS and DASH file routes). */
export const hlsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:jobId/playlist',
    config: { access: 'signed', signedResource: ({ jobId = '' }) => jobResource(jobId) },
    schema: { params: JobParameters, response: { 200: PlaylistPointer } },
    handler: async ({ params: { jobId } }) => {
      await readPlaylist(services, { jobId, file: { kind: 'master' } })
      return { playlist_url: masterUrl(jobId, services.signer) }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:jobId/:file',
    config: { access: 'signed', signedResource: ({ jobId = '' }) => jobResource(jobId) },
    schema: { params: HlsFileParameters },
    handler: async (request, reply) => {
      const { jobId } = request.params
      const file = parseStreamFile(request.params.file)
      if (file === undefined) throw streamingErrors.stream_file_not_found()
      if (file.kind !== 'segment') {
        const text = await readPlaylist(services, { jobId, file, query: signatureQuery(services, request, jobId) })
        return reply.type(contentTypeOf(request.params.file)).header('cache-control', 'no-cache').send(text)
      }
      const handle = await services.segments.open({ jobId, ...file }, untilClosed(reply))
      return sendFile(request, reply, {
        handle,
        contentType: contentTypeOf(request.params.file),
        cacheControl: SEGMENT_CACHE_CONTROL,
      })
    },
  })
}

/**
 * What the addresses in a playlist carry. Who came by a signature goes on with the same one: it must not grow older
 * than it was given. Who came by a bearer gets a new one, since players send no header with what a playlist lists.
 */
function signatureQuery({ signer }: SigningServices, request: FastifyRequest, jobId: string): string {
  const given = request.query as { exp?: string; sig?: string }
  const { exp, sig } = request.account === null ? given : signer.sign(jobResource(jobId))
  return `exp=${exp}&sig=${sig}`
}

/** Ends when the connection does, so that nobody encodes for a player that has left. */
function untilClosed(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  return left.signal
}

/** DASH is not made on demand: whatever is asked for is not there (document 2, item 3). */
export const dashRoutes = (app: Parameters<RoutePlugin>[0], _context: RouteContext): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:jobId/:file',
    config: { access: 'signed', signedResource: ({ jobId = '' }) => `/dash/${jobId}/` },
    schema: { params: HlsFileParameters },
    handler: async () => {
      throw streamingErrors.dash_not_produced()
    },
  })
}
