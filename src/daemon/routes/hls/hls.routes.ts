import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { contentTypeOf } from '../../../core/platform/files/index.ts'
import {
  dashResource,
  jobResource,
  parseStreamFile,
  readPlaylist,
  readStreamSubtitle,
  streamingErrors,
  transcodeProgress,
} from '../../../core/streaming/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import type { SignatureQuery } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { untilClosed } from '../../http/until-closed.ts'
import { signerFor } from '../../http/signer-for.ts'
import { masterUrl } from '../transcodes/transcodes.view.ts'
import { HlsFileParameters, HlsFileQuery, JobParameters, ManifestPointer, PlaylistPointer } from './hls.schemas.ts'

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
      return { playlist_url: masterUrl(jobId, null, services.signer) }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:jobId/:file',
    config: { access: 'signed', signedResource: ({ jobId = '' }) => jobResource(jobId) },
    schema: { params: HlsFileParameters, querystring: HlsFileQuery },
    handler: async (request, reply) => {
      const { jobId } = request.params
      const file = parseStreamFile(request.params.file)
      if (file === undefined) throw streamingErrors.stream_file_not_found()
      const contentType = contentTypeOf(request.params.file)
      if (file.kind === 'segment') {
        const handle = await services.segments.open({ jobId, ...file }, untilClosed(reply))
        return sendFile(request, reply, { handle, contentType, cacheControl: SEGMENT_CACHE_CONTROL })
      }
      const text =
        file.kind === 'subtitle'
          ? await readStreamSubtitle(services, { jobId, index: file.index, part: file.part })
          : await readPlaylist(services, {
              jobId,
              file,
              queryOf: (addressedId) => signatureQuery(services, request, { jobId, addressedId }),
              subtitle: request.query.sub,
            })
      return reply.type(contentType).header('cache-control', 'no-cache').send(text)
    },
  })
}

/**
 * What the addresses in a playlist carry. Who came by a signature goes on with the same one: it must not grow older
 * than it was given. Who came by a bearer gets a new one, since players send no header with what a playlist lists. A film of several
 * files has segments in other jobs, too: for those there is a signature that ends when the given one does.
 */
function signatureQuery(
  { signer }: SigningServices,
  request: Pick<FastifyRequest, 'account'> & { query: Static<typeof SignatureQuery> },
  { jobId, addressedId }: { jobId: string; addressedId: string },
): string {
  const given = request.query
  if (request.account === null && addressedId === jobId) return `exp=${String(given.exp)}&sig=${String(given.sig)}`
  const by = signerFor(request, signer)
  const { exp, sig } = by.sign(jobResource(addressedId))
  return `exp=${exp}&sig=${sig}`
}

/** DASH is not made on demand: the pointer is there, what it points to is not (document 2, item 3). */
export const dashRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:jobId/manifest',
    config: { access: 'signed', signedResource: ({ jobId = '' }) => dashResource(jobId) },
    schema: { params: JobParameters, response: { 200: ManifestPointer } },
    handler: async ({ params: { jobId } }) => {
      const resource = dashResource((await transcodeProgress(services, jobId)).job.id)
      return { manifest_url: services.signer.signUrl(`${resource}manifest.mpd`, resource) }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:jobId/:file',
    config: { access: 'signed', signedResource: ({ jobId = '' }) => dashResource(jobId) },
    schema: { params: HlsFileParameters },
    handler: async () => {
      throw streamingErrors.dash_not_produced()
    },
  })
}
