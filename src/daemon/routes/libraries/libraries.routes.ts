import { createLibrary, getLibrary, listLibraries } from '../../../core/libraries/index.ts'
import { isScannable, queueScan } from '../../../core/scanning/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { CreatedLibrary, CreateLibraryBody, LibraryList, OneLibrary } from './libraries.schemas.ts'
import { createdLibraryView, libraryView } from './libraries.view.ts'

/** Libraries (document 1; decisions 3.5). */
export const libraryRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user' },
    schema: { response: { 200: LibraryList } },
    handler: async () => ({ libraries: (await listLibraries(services)).map(libraryView) }),
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'admin' },
    schema: { body: CreateLibraryBody, response: { 201: CreatedLibrary } },
    handler: async (request, reply) => {
      const library = await createLibrary(services, request.body)
      const firstScan = isScannable(library.type)
        ? await queueScan(services, { libraryId: library.id, type: 'scan' })
        : undefined
      return reply.code(201).send(createdLibraryView(library, firstScan))
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: OneLibrary } },
    handler: async (request) => ({ library: libraryView(await getLibrary(services, request.params.id)) }),
  })
}
