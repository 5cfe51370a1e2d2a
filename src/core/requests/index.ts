export { listRequests } from './list-requests.ts'
export type { MediaRequest } from './media-request.ts'
export { deleteOwnRequest, getOwnRequest } from './own-request.ts'
export { submitRequest } from './submit-request.ts'
