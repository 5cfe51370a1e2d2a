import { findDuplicates } from '../../../core/catalogue/index.ts'
import { getLibrary } from '../../../core/libraries/index.ts'
import { mergeDuplicates } from '../../../core/maintenance/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import { Duplicates, MergeBody, MergedDuplicatesReply } from './duplicates.schemas.ts'
import { duplicateGroupView, mergedView } from './duplicates.view.ts'

/** Films and episodes that exist more than once in a library. */
export const duplicateRoutes: RoutePlugin = (app, { services }) => {
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/libraries/:id/duplicates',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: Duplicates } },
    handler: async ({ params }) => {
      const { id } = await getLibrary(services, params.id)
      const groups = await findDuplicates(services, id)
      return { groups: groups.map((group) => duplicateGroupView(id, group)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/media/merge',
    config: { access: 'admin', reveals: 'items' },
    schema: { body: MergeBody, response: { 200: MergedDuplicatesReply } },
    handler: async ({ body: { primary_id: keptId = '', duplicate_ids: ids = [] } }) =>
      mergedView(await mergeDuplicates(services, { keptId, ids })),
  })
}
