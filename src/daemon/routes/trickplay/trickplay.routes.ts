import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import {
  analysisErrors,
  chapterPictureResource,
  drawSprite,
  findFilmTrickplay,
  gridFileName,
  openChapterPicture,
  openSetFile,
  parseTrickplayFile,
  readFilmPictures,
  TRICKPLAY_NAMES,
  trickplayResource,
  writeBif,
  type FilmTrickplay,
  type TrickplayFile,
} from '../../../core/analysis/index.ts'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { findJobItemId } from '../../../core/streaming/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { sendPicture } from '../../http/send-picture.ts'
import { signerFor } from '../../http/signer-for.ts'
import {
  ChapterPictureParameters,
  ItemTrickplay,
  TrickplayFileParameters,
  TrickplayFileQuery,
} from './trickplay.schemas.ts'
import { imagePlaylistText, itemTrickplayView, storyboardText, pictureTimesView } from './trickplay.view.ts'

/** An address with the current version has the same content for ever. It contains a signature, so only private caches may store it. */
const VERSION_CACHE_CONTROL = 'private, max-age=31536000, immutable'
const CURRENT_CACHE_CONTROL = 'private, no-cache'
const CHAPTER_CACHE_CONTROL = 'private, max-age=3600'

const BIF_CONTENT_TYPE = 'application/octet-stream'

type FileRequest = FastifyRequest<{ Querystring: Static<typeof TrickplayFileQuery> }>

/** Pictures of the time line by item or by transcode job. */
export const trickplayRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/:file',
    config: { access: 'signed', reveals: 'items', signedResource: ({ id = '' }) => trickplayResource(id) },
    schema: { params: TrickplayFileParameters, querystring: TrickplayFileQuery },
    handler: async (request, reply) => {
      const file = parseTrickplayFile(request.params.file)
      if (file === undefined) throw analysisErrors.trickplay_picture_not_found()
      const itemId = (await findJobItemId(services, request.params.id)) ?? request.params.id
      if (file.kind === 'grid' || file.kind === 'index') return sendStored(services, { request, reply }, itemId, file)
      const film = await findFilmTrickplay(services, itemId)
      if (file.kind === 'sprite' || file.kind === 'bif') return sendDerived(services, { request, reply }, film, file)
      const signer = signerFor(request, services.signer)
      reply.type(contentTypeOfFile(request.params.file)).header('cache-control', CURRENT_CACHE_CONTROL)
      if (file.kind === 'storyboard') return reply.send(storyboardText(film, signer))
      if (file.kind === 'playlist') return reply.send(imagePlaylistText(film, signer))
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(pictureTimesView(film)))
    },
  })
}

/** Pictures of an item for players. */
export const itemTrickplayRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/trickplay',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ItemTrickplay } },
    handler: async ({ params }) => itemTrickplayView(await findFilmTrickplay(services, params.id), services.signer),
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/chapters/:number/thumbnail',
    config: {
      access: 'signed',
      reveals: 'items',
      signedResource: ({ id = '', number = '' }) => chapterPictureResource(id, number),
    },
    schema: { params: ChapterPictureParameters },
    handler: async (request, reply) => {
      const { id: itemId, number } = request.params
      const picture = await openChapterPicture(services, { itemId, number })
      return sendPicture(request, reply, { picture, cacheControl: CHAPTER_CACHE_CONTROL })
    },
  })
}

type Exchange = { request: FileRequest; reply: FastifyReply }

/** Sends a grid or the index of the own file of an item. */
async function sendStored(
  { trickplay }: Pick<SigningServices, 'trickplay'>,
  { request, reply }: Exchange,
  itemId: string,
  file: Extract<TrickplayFile, { kind: 'grid' } | { kind: 'index' }>,
): Promise<FastifyReply> {
  const set = (await trickplay.find([itemId])).get(itemId.toLowerCase())
  if (set === undefined) throw analysisErrors.trickplay_not_found()
  const name = file.kind === 'grid' ? gridFileName(file.grid) : TRICKPLAY_NAMES.index
  const handle = await openSetFile(set, name)
  return sendFile(request, reply, {
    handle,
    contentType: contentTypeOfFile(name),
    cacheControl: cacheControlOf(request, set),
  })
}

/** Sends a file that is made of the pictures of all files of a film, at the first request. */
async function sendDerived(
  services: SigningServices,
  { request, reply }: Exchange,
  film: FilmTrickplay,
  file: { kind: 'sprite' | 'bif' },
): Promise<FastifyReply> {
  const isSprite = file.kind === 'sprite'
  const name = `${film.version}.${isSprite ? 'sprite.jpg' : 'bif'}`
  const handle = await services.trickplay.openDerived(film.first, name, () =>
    isSprite ? drawSprite(services, film) : makeBif(film),
  )
  const contentType = isSprite ? contentTypeOfFile(name) : BIF_CONTENT_TYPE
  return sendFile(request, reply, { handle, contentType, cacheControl: cacheControlOf(request, film) })
}

async function makeBif({ pictures }: FilmTrickplay): Promise<Buffer> {
  const jpegs = await readFilmPictures(pictures)
  return writeBif(
    pictures.flatMap(({ startSeconds: seconds }, index) => {
      const jpeg = jpegs[index]
      return jpeg === undefined ? [] : [{ seconds, jpeg }]
    }),
  )
}

function cacheControlOf({ query }: FileRequest, { version }: { version: string }): string {
  return query.v === version ? VERSION_CACHE_CONTROL : CURRENT_CACHE_CONTROL
}
