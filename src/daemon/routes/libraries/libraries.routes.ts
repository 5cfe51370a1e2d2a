import { listLibraryItems } from '../../../core/catalogue/index.ts'
import { getLibrary, listLibraries } from '../../../core/libraries/index.ts'
import { createLibraryAndScan, updateLibraryAndScan } from '../../../core/scanning/index.ts'
import { deleteLibrary } from '../../../core/maintenance/index.ts'
import { libraryView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { emptyListToMap } from '../../http/empty-json-maps.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { MediaList } from '../media/media.schemas.ts'
import { viewerRows } from '../media/viewer-rows.ts'
import {
  CreatedLibrary,
  CreateLibraryBody,
  LibraryItemsQuery,
  LibraryList,
  OneLibrary,
  UpdatedLibrary,
  UpdateLibraryBody,
} from './libraries.schemas.ts'
import { createdLibraryView, updatedLibraryView } from './libraries.view.ts'

/** Libraries. */
export const libraryRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '',
      config: { access: 'user', reveals: 'items' },
      schema: { response: { 200: LibraryList } },
      handler: async (request) => {
        const showPath = await createPathFormatter(services, signedInAccount(request))
        return { libraries: (await listLibraries(services)).map((library) => libraryView(library, showPath)) }
      },
    })

    app.route({
      method: 'POST',
      url: '',
      config: { access: 'admin', reveals: 'items' },
      schema: { body: CreateLibraryBody, response: { 201: CreatedLibrary } },
      handler: async (request, reply) => {
        const { scan: isScanWanted = true, ...body } = request.body
        const { library, scan } = await createLibraryAndScan(services, readSettings(body), { isScanWanted })
        return reply.code(201).send(createdLibraryView(library, scan))
      },
    })

    app.route({
      method: 'GET',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: OneLibrary } },
      handler: async (request) => {
        const showPath = await createPathFormatter(services, signedInAccount(request))
        return { library: libraryView(await getLibrary(services, request.params.id), showPath) }
      },
    })
    app.route({
      method: 'PUT',
      url: '/:id',
      config: { access: 'admin', reveals: 'items' },
      schema: { params: IdParameters, body: UpdateLibraryBody, response: { 200: UpdatedLibrary } },
      handler: async (request) => {
        const { display_order: displayOrder, ...body } = request.body
        const changes = { ...readSettings(body), displayOrder, libraryId: request.params.id }
        const { library, scan } = await updateLibraryAndScan(services, { ...changes, requestedBy: request.account?.id })
        return updatedLibraryView(library, scan)
      },
    })

    app.route({
      method: 'DELETE',
      url: '/:id',
      config: { access: 'admin', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        await deleteLibrary(services, request.params.id)
        return { message: 'Library deleted' }
      },
    })

    app.route({
      method: 'GET',
      url: '/:id/items',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, querystring: LibraryItemsQuery, response: { 200: MediaList } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const library = await getLibrary(services, request.params.id)
        const { include, ...query } = request.query
        const { items, ...page } = await listLibraryItems(services, { libraryId: library.id, ...query })
        return {
          items: await viewerRows(rows, services, { items, reader: signedInAccount(request), include }),
          ...page,
        }
      },
    })
  }

type SettingsBody = {
  options?: unknown
  series_per_directory?: unknown
  metadata_priority?: unknown
  image_types?: unknown
}

/** Maps the settings that clients send beside `options` to the names of the domain. */
function readSettings<Body extends SettingsBody>({
  options,
  series_per_directory: seriesPerDirectory,
  metadata_priority: metadataPriority,
  image_types: imageTypes,
  ...rest
}: Body) {
  return { ...rest, options: emptyListToMap(options), seriesPerDirectory, metadataPriority, imageTypes }
}
