export { invalidateExtras } from './invalidate-extras.ts'
export { listExtras } from './list-extras.ts'
export { isTrailer, type Extra } from './extra.ts'
